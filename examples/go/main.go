// Reads from a monitoring account, and declares an update on one of its status-page incidents.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"pulumi-monitoring-service/sdk/go/monitoring"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		onCall, err := monitoring.LookupAlertChannel(ctx, &monitoring.LookupAlertChannelArgs{ChannelId: 4101})
		if err != nil {
			return err
		}
		pages, err := monitoring.GetStatusPages(ctx, &monitoring.GetStatusPagesArgs{})
		if err != nil {
			return err
		}
		atLeast := string(monitoring.SeverityMAJOR)
		open, err := monitoring.GetOpenIncidents(ctx, &monitoring.GetOpenIncidentsArgs{AtLeast: &atLeast})
		if err != nil {
			return err
		}

		// The incident id is configured. A lookup may return a different incident tomorrow, and the update would be
		// public there.
		update, err := monitoring.NewIncidentUpdate(ctx, "rollback", &monitoring.IncidentUpdateArgs{
			IncidentId:        pulumi.String(config.Require(ctx, "incidentId")),
			Status:            monitoring.UpdateStatusMONITORING,
			Description:       pulumi.String("We rolled the release back. Checkout is fast again; we keep watching it."),
			NotifySubscribers: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		openIncidents := pulumi.StringArray{}
		for _, incident := range open.Incidents {
			openIncidents = append(openIncidents, pulumi.String(incident.Name))
		}
		ctx.Export("alertsReach", pulumi.Sprintf("%s channel %v", onCall.Type, onCall.Id))
		ctx.Export("statusPageCount", pulumi.Int(len(pages.StatusPages)))
		ctx.Export("openIncidents", openIncidents)
		ctx.Export("postedUpdate", update.IncidentUpdateId)
		return nil
	})
}
