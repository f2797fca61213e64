/** Sample status pages: 13 products in three regions, 8 global ones, and those of the labs. */
import type { ColorSet, SandboxStatusPageService } from "../contract";
import type { StoredStatusPage } from "../data";
import { days, type SeedValues } from "./seedValues";

interface Row {
  name: string;
  accent: string;
  /** Services by card. */
  cards: Record<string, string[]>;
  /** Whether it has a custom domain. */
  ownDomain: boolean;
  /** Never changed, and without logo, icon, link and colors. */
  plain?: boolean;
}

type Product = Omit<Row, "ownDomain">;

const products: Product[] = [
  {
    name: "Storefront",
    accent: "#0f766e",
    cards: { Shopping: ["Home page", "Product pages", "Wish lists"], Delivery: ["Images", "Edge cache"] },
  },
  {
    name: "Checkout",
    accent: "#1d4ed8",
    cards: { Buying: ["Cart", "Checkout page", "Order confirmation"], Behind: ["Order API", "Stock check"] },
  },
  {
    name: "Payments",
    accent: "#6d28d9",
    cards: { Paying: ["Cards", "Bank transfer", "Pay later"], Payouts: ["Seller payouts", "Refunds"] },
  },
  {
    name: "Search",
    accent: "#b45309",
    cards: { Finding: ["Search", "Suggestions", "Filters"], Data: ["Search index"] },
  },
  {
    name: "Catalog",
    accent: "#047857",
    cards: { Products: ["Listings", "Prices", "Bulk import"], Media: ["Photo upload"] },
  },
  {
    name: "Shipping",
    accent: "#9a3412",
    cards: { Sending: ["Label printing", "Rates"], Tracking: ["Tracking page", "Carrier updates"] },
  },
  {
    name: "Returns",
    accent: "#be123c",
    cards: { Returns: ["Return requests", "Return labels", "Refund decisions"] },
  },
  {
    name: "Accounts",
    accent: "#0e7490",
    cards: { Access: ["Sign-in", "Sign-up", "Two-step codes"], Profile: ["Addresses"] },
  },
  {
    name: "Messaging",
    accent: "#4338ca",
    cards: { Messages: ["Inbox", "Email delivery", "Push notifications"] },
  },
  {
    name: "Promotions",
    accent: "#a21caf",
    cards: { Offers: ["Vouchers", "Campaigns"], Behind: ["Price rules"] },
  },
  {
    name: "Reviews",
    accent: "#4d7c0f",
    cards: { Reviews: ["Reading reviews", "Writing reviews", "Moderation"] },
  },
  {
    name: "Gift Cards",
    accent: "#c2410c",
    cards: { "Gift cards": ["Buying", "Redeeming", "Balance"] },
  },
  {
    name: "Tax",
    accent: "#334155",
    cards: { Tax: ["Tax calculation", "Invoices"], Filing: ["Monthly reports"] },
  },
];

const everywhere: Product[] = [
  {
    name: "Developer API",
    accent: "#1e40af",
    cards: { API: ["REST API", "Webhooks"], Portal: ["Documentation", "API keys"] },
  },
  {
    name: "Seller Center",
    accent: "#115e59",
    cards: { Selling: ["Orders", "Inventory", "Reports"], Team: ["Seats and roles"] },
  },
  { name: "Mobile Apps", accent: "#5b21b6", cards: { Apps: ["iOS app", "Android app"] } },
  { name: "Analytics", accent: "#9d174d", cards: { Insight: ["Dashboards", "Exports"] } },
  { name: "Partner Network", accent: "#92400e", cards: { Partners: ["Affiliate links", "Payout reports"] } },
  { name: "Advertising", accent: "#b91c1c", cards: { Ads: ["Sponsored listings", "Budgets"] } },
  { name: "Help Center", accent: "#166534", cards: { Help: ["Articles", "Chat", "Phone"] } },
  { name: "Company Website", accent: "#1f2937", cards: { Website: ["Website", "Newsroom", "Careers"] } },
];

const quillmarket: Row[] = [
  ...products.flatMap((product) =>
    ["Europe", "North America", "Asia Pacific"].map((region) => ({
      ...product,
      name: `${product.name} ${region}`,
      ownDomain: region === "Europe",
    })),
  ),
  ...everywhere.map((product) => ({ ...product, ownDomain: true })),
];

const labs: Row[] = ["Preview", "Design Tools", "Price Experiments", "Assistant"].map((name) => ({
  name: `Labs ${name}`,
  accent: "#7c2d12",
  cards: { Experiment: [name, "Feedback form"] },
  ownDomain: false,
  plain: true,
}));

export const statusPageRows = { quillmarket, labs };

export function statusPages(rows: Row[], values: SeedValues): StoredStatusPage[] {
  return rows.map(({ name, accent, cards, ownDomain, plain = false }) => {
    const slug = name.toLowerCase().replaceAll(" ", "-");
    const age = values.number(`page ${name}`, 300, 1400);
    const timestamps = {
      created_at: values.ago(days(age)),
      updated_at: plain ? null : values.ago(days(age % 90)),
    };
    const service = (label: string): SandboxStatusPageService => ({
      name: label,
      id: values.id(`service ${name}/${label}`),
      accountId: values.accountId,
      ...timestamps,
    });
    return {
      name,
      url: `quillmarket-${slug}`,
      id: values.id(`page ${name}`),
      accountId: values.accountId,
      ...timestamps,
      customDomain: ownDomain ? `${slug}.status.quillmarket.example` : plain ? null : "",
      logo: plain ? null : `https://cdn.quillmarket.example/logos/${slug}.svg`,
      favicon: plain ? null : "https://cdn.quillmarket.example/favicon.ico",
      redirectTo: plain ? null : "https://www.quillmarket.example/",
      defaultTheme: "AUTO",
      themeColors: plain
        ? null
        : {
            light: colors({
              back: "#f8fafc",
              card: "#ffffff",
              border: "#e2e8f0",
              text: "#0f172a",
              muted: "#475569",
              accent,
            }),
            dark: colors({
              back: "#0b1120",
              card: "#111827",
              border: "#1f2937",
              text: "#f1f5f9",
              muted: "#94a3b8",
              accent,
            }),
          },
      cards: Object.entries(cards).map(([card, services]) => ({
        id: values.id(`card ${name}/${card}`),
        name: card,
        ...timestamps,
        services: services.map(service),
      })),
    };
  });
}

interface Palette {
  back: string;
  card: string;
  border: string;
  text: string;
  muted: string;
  accent: string;
}

const colors = ({ back, card, border, text, muted, accent }: Palette): ColorSet => ({
  bodyBackgroundColor: back,
  headerBackgroundColor: accent,
  headerFontColor: "#ffffff",
  titleFontColor: text,
  bodyFontColor: text,
  bodyFontColorMuted: muted,
  navigationFontColor: "#ffffff",
  linkFontColor: accent,
  cardBackgroundColor: card,
  borderColor: border,
  primaryButtonBackgroundColor: accent,
  primaryButtonFontColor: "#ffffff",
});
