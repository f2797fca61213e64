// Watches a status page: fails when its address or one of its groups is gone.
import { getStatusPageOutput, StatusPage } from "pulumi-monitoring-service";

const page = new StatusPage("payments", {
  statusPageId: getStatusPageOutput({ url: "quillmarket-payments-europe" }).id,
  expect: {
    customDomain: { matches: "\\.quillmarket\\.example$" },
    cards: { contains: { name: "Paying" } },
  },
});

export const name = page.name;
export const services = page.cards.apply((cards) =>
  cards.flatMap((card) => card.services.map(({ name }) => name)),
);
