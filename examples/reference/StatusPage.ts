// Observes a status page with cards and a status page with components. Fails if a domain, a card or a component is missing.
import { getStatusPageOutput, StatusPage } from "pulumi-monitoring-service";

const page = new StatusPage("payments", {
  statusPageId: getStatusPageOutput({ url: "quillmarket-payments-europe" }).id,
  expect: {
    customDomain: { matches: "\\.quillmarket\\.example$" },
    cards: { contains: { name: "Paying" } },
  },
});

const shop = new StatusPage("shop", {
  statusPageId: "page_shop",
  expect: { components: { contains: { name: "Checkout" } } },
});

export const name = page.name;
export const services = page.cards.apply((cards) =>
  cards?.flatMap((card) => card.services.map(({ name }) => name)),
);
export const components = shop.components.apply((all) => all?.map(({ name }) => name));
