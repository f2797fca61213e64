"""Declares each resource, calls each function, and exports what they return."""

import pulumi
import pulumi_monitoring as monitoring

# AlertChannel
on_call = monitoring.AlertChannel(
    "on-call",
    channel_id=4101,
    expect=monitoring.AlertChannelExpectationsArgs(
        send_failure=True,
        ssl_expiry_threshold=monitoring.NumberConditionsArgs(at_least=14),
        config={"serviceKey": {"isReference": True}},
    ),
)

pulumi.export("type", on_call.type)

# IncidentUpdate
update = monitoring.IncidentUpdate(
    "rollback",
    incident_id="inc_checkout_latency",
    status="MONITORING",
    description="We rolled the release back. Checkout is fast again; we keep watching it.",
    notify_subscribers=True,
)

pulumi.export("updateId", update.incident_update_id)
pulumi.export("postedAt", update.created_at)

# StatusPage
status_page = monitoring.get_status_page_output(
    url="quillmarket-payments-europe",
)
page = monitoring.StatusPage(
    "payments",
    status_page_id=status_page.id,
    expect=monitoring.StatusPageExpectationsArgs(
        custom_domain=monitoring.TextConditionsArgs(matches=r"\.quillmarket\.example$"),
        cards=monitoring.StatusPageCardListConditionsArgs(
            contains=monitoring.StatusPageCardExpectationsArgs(name="Paying"),
        ),
    ),
)

pulumi.export("name", page.name)

# AlertChannelAudit
audit = monitoring.AlertChannelAudit(
    "on-call",
    all_channels=True,
    enforcement="advisory",
    rules={
        "extends": "recommended",
        "rules": {"ssl-expiry-threshold": {"severity": "error", "options": {"atLeast": 21}}},
    },
)

pulumi.export("counts", audit.counts)

# IncidentTimeline
timeline = monitoring.IncidentTimeline(
    "label-printing",
    incident_id="inc_label_printing",
    updates=[
        monitoring.IncidentTimelineEntryArgs(
            status="IDENTIFIED",
            description="Some sellers still get blank labels: their shop keeps the old format.",
        ),
        monitoring.IncidentTimelineEntryArgs(
            status="MONITORING",
            description="All shops print with the new format.",
            notify_subscribers=True,
        ),
    ],
)

pulumi.export("updateIds", timeline.incident_update_ids)

# OpenIncidentGate
open_incident_gate = monitoring.OpenIncidentGate(
    "deployments",
    at_least="MAJOR",
    services=["Search", "Suggestions"],
)
announcement = monitoring.IncidentUpdate(
    "deployed",
    incident_id="inc_webhook_delays",
    status="MONITORING",
    description="More senders are at work. The queue is down to two minutes.",
    opts=pulumi.ResourceOptions(depends_on=[open_incident_gate]),
)

pulumi.export("announced", announcement.incident_update_id)

# getAlertChannel
hook = monitoring.get_alert_channel_output(channel_id=4106)

pulumi.export("type", hook.type)

# getAlertChannels
alert_channels = monitoring.get_alert_channels_output(all=True)

pulumi.export("alertChannels", alert_channels.alert_channels)

# getIncident
incident = monitoring.get_incident_output(
    id="0c9f7b52-6d1e-4a83-b5f0-2e8d7c6b5a49",
    include_all_incident_updates=True,
)

pulumi.export("name", incident.name)

# getIncidentUpdate
search_lag = monitoring.get_status_page_incident_output(
    incident_id="inc_search_lag",
)
latest = monitoring.get_incident_update_output(
    incident_id="inc_search_lag",
    incident_update_id=search_lag.incident_updates[0].id,
)

pulumi.export("status", latest.status)
pulumi.export("description", latest.description)

# getOpenIncidents
open_incidents = monitoring.get_open_incidents_output(at_least="MAJOR")

pulumi.export("incidents", open_incidents.incidents)

# getStatusPage
help_center = monitoring.get_status_page_output(url="quillmarket-help-center")

pulumi.export("name", help_center.name)
pulumi.export("address", help_center.custom_domain)

# getStatusPageIncident
login_loop = monitoring.get_status_page_incident_output(
    incident_id="inc_login_loop",
)

pulumi.export("status", login_loop.last_update_status)

# getStatusPages
status_pages = monitoring.get_status_pages_output()

pulumi.export("statusPages", status_pages.status_pages)
