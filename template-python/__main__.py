import pulumi
import pulumi_monitoring as monitoring

# Incidents of status pages made since August 2026 (pages with components) need the ID of their page. Older pages (with cards) don't.
status_page_id = pulumi.Config().get("statusPageId")

# `pulumi up` publishes each declared update once. Emails can't be recalled, so read `pulumi preview` first. For example:
#
# monitoring.IncidentTimeline(
#     "checkout",
#     status_page_id=status_page_id,
#     incident_id="inc_checkout_latency",
#     # A key identifies its update. New information needs a new key. On a page with components, you can change the text under a key.
#     updates=[
#         {
#             "key": "start",
#             "status": "INVESTIGATING",
#             "description": "Checkout is slow. We are looking for the cause.",
#         }
#     ],
# )


def arguments(incident):
    """Returns the arguments that an update on an open incident needs."""
    pages = [] if incident.component_impacts is None else incident.status_pages
    ids = [f"status_page_id {page.id}" for page in pages]
    return f"{', '.join([*ids, f'incident_id {incident.id}'])}: {incident.name}"


open_incidents = monitoring.get_open_incidents_output(status_page=status_page_id).incidents
pulumi.export("openIncidents", open_incidents.apply(lambda incidents: [arguments(each) for each in incidents]))
