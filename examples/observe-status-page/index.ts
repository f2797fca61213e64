// Observes a status page that is edited by hand: reports changes, and fails while the page does not match `expect`.
import * as pulumi from "@pulumi/pulumi";
import { getStatusPageOutput, StatusPage } from "pulumi-monitoring-service";

const slug = new pulumi.Config().require("page");

const page = new StatusPage("page", {
  statusPageId: getStatusPageOutput({ url: slug }).id,
  expect: {
    customDomain: "checkout-europe.status.quillmarket.example",
    cards: { contains: { name: "Buying" } },
  },
});

export const services = page.cards.apply((cards) =>
  cards?.flatMap((card) => card.services.map(({ name }) => `${card.name}: ${name}`)),
);
