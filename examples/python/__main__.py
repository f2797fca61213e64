"""Reads from a monitoring account, and declares an update on one of its status-page incidents."""

import pulumi
import pulumi_monitoring as monitoring

config = pulumi.Config()

on_call = monitoring.get_alert_channel_output(id=4101)
status_pages = monitoring.get_status_pages_output().status_pages
open_incidents = monitoring.get_open_incidents_output(at_least="MAJOR").incidents

# The incident id is configured. A lookup may return a different incident tomorrow, and the update would be public there.
update = monitoring.IncidentUpdate(
    "rollback",
    incident_id=config.require("incidentId"),
    status=monitoring.UpdateStatus.MONITORING,
    description="We rolled the release back. Checkout is fast again; we keep watching it.",
    notify_subscribers=True,
)

pulumi.export("alertsReach", on_call.type)
pulumi.export("statusPageCount", status_pages.apply(len))
pulumi.export(
    "openIncidents",
    open_incidents.apply(lambda incidents: [each.name for each in incidents]),
)
pulumi.export("postedUpdate", update.incident_update_id)
pulumi.export("postedAt", update.created_at)
