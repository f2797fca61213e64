// Observes a status page: fails when its domain or one of its cards is missing.
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
