/** Where the forms of the keys and hooks that are known come from. The list of the credentials in test/proofreading has an example of each. */

const gitleaks = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
const kingfisher = "https://github.com/mongodb/kingfisher/tree/main/crates/kingfisher-rules/data/rules";

const bySource: Readonly<Record<string, string>> = {
  [gitleaks]:
    "GitHub; Stripe; Pulumi; npm; PyPI; RubyGems; DigitalOcean; Databricks; Mailgun; Shopify; Brevo; SendGrid; Linear; Vault; Terraform; Atlassian; Grafana; Sentry; PlanetScale; Postman; Notion; New Relic; Heroku; Prefect; Dynatrace; OpenAI; Anthropic; Hugging Face; Perplexity; Fly; 1Password; age; Sourcegraph; ReadMe; JFrog; AWS; Mailchimp; Airtable; Azure; Plaid; Cloudflare; Contentful; Square; Doppler",
  [kingfisher]:
    "Docker; Replicate; Groq; PostHog; Netlify; Supabase; Figma; Buildkite; CircleCI; Resend; xAI; NuGet; Render; Sonar; Neon; Django; Mapbox; HubSpot; Google",
  "https://docs.gitlab.com/security/tokens/#token-prefixes": "GitLab",
  "https://docs.slack.dev/authentication/tokens": "Slack",
  "https://tailscale.com/docs/reference/key-prefixes": "Tailscale",
  "https://feedback.checklyhq.com/changelog/introducing-service-api-keys": "Checkly",
};

/** The page of each vendor. */
export const sources = new Map(
  Object.entries(bySource).flatMap(([page, vendors]) =>
    vendors.split("; ").map((vendor) => [`a key of ${vendor}`, page] as const),
  ),
);
