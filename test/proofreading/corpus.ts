/**
 * Contains text to test the checks of public text. It was written without looking at their code: text with a credential, legitimate text,
 * and text with leftovers of tools and templates. All values are made up, except AWS's own example AKIAIOSFODNN7EXAMPLE and its secret.
 * They are random strings with the length and alphabet of the vendor's form, as far as these are known. Hosts aren't example.com, because
 * that would be a placeholder.
 */

/** Each text contains a credential, and must be rejected or cause a warning. */
export const credentials = [
  // URLs with a user and a password:
  // PostgreSQL
  "Reports read from postgresql://reporting:zKq¦vAqQQXEdiQXxQ@replica-2.acme-db.net:5432/reports?sslmode=require until 18:00 UTC.",
  // PostgreSQL, with a password that a person chose, in a code span
  "Partners use `postgres://partner:Autumn2026x@db.acme-data.net/exports` while the primary is down.",
  // MongoDB
  "Point your importer at mongodb+srv://importer:Fst¦BK0IKWySXohMsDfqP@cluster0.k3xqz.mongodb.net/?retryWrites=true&w=majority for today.",
  // Redis, with only a password
  "Sessions moved to `rediss://:0GT¦4pfNNbKM89vqJI9DkPEmB0KPF0Ex8@cache-eu.acme-data.net:6380/0`; please log in again.",
  // AMQP
  "Consumers reconnect by themselves to amqps://events:KO4¦YK55pLEyT8iHZCMDwZnvy@mq.acme-data.net:5671/prod.",
  // MySQL, in a fence
  "Until the failover ends, set:\n```\nDATABASE_URL=mysql://app:cAn¦rbke8OutZ1tCN2g@mysql-3.acme-data.net:3306/shop\n```",
  // HTTPS, including a percent-encoded password
  "The preview is at https://preview:UOlOAYSh07sh@next.acme-apps.net/checkout, feedback is welcome.",
  "Mirror: https://mirror:Kx%40kphUTmQB%21@downloads.acme-apps.net/releases/",
  // FTP
  "Large exports are at ftp://customer:ebQgGrptub@files.acme-data.net/exports/ for now.",
  // SMTP
  "Relay mail by smtps://relay@acme-apps.net:gpc¦robvecbifwopa@smtp.acme-mail.net:465 until we are done.",
  // Cloudinary
  "Image uploads work again with CLOUDINARY_URL=cloudinary://405865243428905:drr¦8whK0sxYdUpapPupI4SfeW_h@acme-media.",
  // JDBC, with the password in the query
  "Use jdbc:mysql://db-2.acme-data.net:3306/shop?user=readonly&password=XAvohkMWHL5THA&useSSL=true in BI tools.",
  // connection strings that contain a password
  "Temporary string: `Server=tcp:acme-sql.database.windows.net,1433;Database=shop;User ID=bi;Password=Fnf6I2zGO!5Kb0Cx;Encrypt=true;`",
  'Connect with psql "host=db-2.acme-data.net user=bi password=L4s¦UbOmjlQWQfP2B dbname=shop" to the replica.',

  // Keys with a vendor's prefix:
  // Pulumi
  "Deployments fail with 401 for pul¦-971¦e899d956a88e80b05f90f2b085618d1f56147; we are investigating.",
  // Checkly: a user's key, a service's key
  "Runs that use `cu_15fd052f397215701a36922a29dc51ba` were rejected between 09:10 and 09:40 UTC.",
  "Our CI account (sv_154ba905b2ae6e72f71963caaeea9c8b) is rate limited; checks run late.",
  // GitHub: classic, fine-grained, GitHub App, OAuth
  "Builds that cloned with ghp¦_mkRKjXKVdsLOivRZpOj0dEZaIr9umPs9CyW6 failed and were started again.",
  "Renovate stopped: `git¦hub_pat_bwqSoSIchzv2tBuyZkjZF1_h6faFq6YuW5FLfIxayPoL9UXIrspHz7eFGsbtjDRiA5YfYEsbOZnPPiEB5V` has no access to the new repository.",
  "A log line with ghs¦_zPr0kUh15uPVNIq7nPkQTQOwyTSPZEMkWdh7 is expected while the app reconnects.",
  'The device flow answers {"access_token": "gho¦_G1ZvIxq9F3x2zqAB7XUY2XHAsku9TMI7HXvT", "token_type": "bearer"} again.',
  // GitLab: personal, routable, trigger, runner
  "Mirroring by glp¦at-YuK¦Ox9M2U9KSJQs8SYYm is paused until the migration ends.",
  "Pipelines use `glp¦at-8_KajzIdO6Z2JL2KRyNVGXGk7Gr.01.zq9he9tij` now.",
  "Start the nightly build yourself with glp¦tt-b3a¦a1fdb4564928ddeeebe85f5ec8958011574bd if you need it today.",
  "Runners registered with glr¦t-ekK¦jf-6yrcsNas3B6Tnd are offline; new ones come up at 15:00 UTC.",
  // Slack: bot, user, app
  "Slack alerts of xox¦b-854¦834804513-663¦8466124403-jxB¦bPachCLZaOzzHNYQkLJzk are delayed.",
  "Exports ran as xox¦p-315¦976665612-228¦944417978-247¦1373069981-78e¦bce8291a60fd12371273a4856382d and are complete.",
  "Socket mode (xap¦p-1-A0S¦CGOLIPPK-651¦9526670529-bd9¦59bafbd1e0e26a2c4b74d5ccb4e8503a21a9333baf8508297495a32b53e8c) reconnects every ten seconds.",
  // Stripe: secret key, restricted key, webhook secret
  "Payments by 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 succeed again.",
  "Refunds are made with `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` until the dashboard is back.",
  "Verify events with whs¦ec_UYuMGkVHofASpHHW0TOSOJqFicbMa4qQ; the old endpoint is gone.",
  // AWS: access key ID, and its secret, recognized by name
  "Uploads signed by AKI¦AZNI7JGL5HBFOGYOD are rejected; we are working on it.",
  "```\nAW¦S_SECRET_ACCESS_KEY=MQHczftC0SuIlX+hDJ¦yOeSL0npf9DQITd6HEkV3G\nAWS_REGION=eu-central-1\n```\nworks for the transfer until 17:00 UTC.",
  // Google: API key, OAuth client secret, access token, refresh token
  "Maps load again with AIz¦aSylBSDdgpkFZxh2VGTaJ-SJux0hUF5861KS.",
  "Sign-in with Google failed because GOC¦SPX-Lcs¦HTehxwwht6zXJ7sxImsEqliCl had been replaced.",
  "Calendar sync stalled on `ya29.a0b¦Wniaq_kkj6RZdJELvR9WQ7-_JjtwxXXCT9Poyb-s33¦pcfxwJuiIwATNBAJaDgwIWuMYODEwFk0YwfPw8Q0s91w8XhmWVDwzU1dMh2GP7V1JbcVx4feQLIorb5OGUpW9AFUH2PoBPS_mZanxYOq7c9BpzfMk7oQ7`.",
  "The importer holds 1//0K1¦IAfzVqnSzqp04DxYG-8nD¦h3vo-z4Y¦0UjCxejvmE_8QIiLBCW3kMnaWX7vmmBieSwM0zrK3JbTUOA63v6mvYFRpsH5JXUjJYoLJ and resumes at 14:00 UTC.",
  // SendGrid, Mailgun, Mailchimp, Brevo, Resend, Postmark (recognized by name)
  "Receipts are sent by SG.R5F¦xQvf_LMl7lxYJaNBqzX.o3h¦kivhXGHm3895JOMCcOFsW_Q2IWOa4t8dXlDkIhvy again.",
  "Bounces of key¦-8bc¦3656a208643836a3630e99249d6f8 are processed late.",
  "Newsletter sign-ups use `b96¦86d2a127b8ffbc6c34d27d44c2e9d-us21` from now on.",
  "Transactional mail (xke¦ysib-7a3¦595e25d2898025f62329d2242b5df56a6f63e56c8c5422c2398fa65e736e5-HNS¦YFx3nCnHPOpup) is back.",
  "We switched the sender to re_4YbxFmK7_0EkMorEWdjzoDhG2sH3yZJzv.",
  "POS¦TMARK_SERVER_TOKEN=25a¦9b78b-132¦c-405¦5-8f9¦2-51ecd0c7a7b5 was wrong in two regions; this is fixed.",
  // Mapbox
  "Maps load with sk.eyJ¦1IjoiYWNtZSIsImEiOiJjbTN4cTl6MWsyaWJrM2pxd2t0cDl4ZDFmIn0.q7Zk¦R2vXw9Lm4Tb6Yc3Hn again.",
  // npm, PyPI, RubyGems, NuGet, Artifactory
  "Publishing failed with E403 for npm¦_INrMFAHiBrAORPivkRAYYzzs2seg0W2lLNh9.",
  "Uploads with pyp¦i-AgE¦IcHlwaS5vcmcCXDl7_qr2iPr2psrDRMOqEzNcPE4aqeCVU-Lnx¦6pwk1W8M_MLfYWOXKru1HKf9vVSzGd3D_McGuD303aP1NrpWPkbSxIB0UbmyC2RiKP46iOToUdq2SbU9tSZtCY7nP7cxNVFuYwu16_erq6fQr1PXh are accepted again.",
  "Pushing gems with rub¦ygems_647c8189a5e67f90826a55421133f9546818fde126c495b5 timed out.",
  "Packages were pushed by `oy2¦ubpiwklvrahemy6gfwxww6agzhsq52qesmpp3aiy44y` twice; please ignore the second.",
  "Maven resolves through AKC¦p8gVGXsW0rDSvEXWVDA2NV0CGdj2L6DsDcuz4qfl2xIkPQ1TPJdUSrKZuFu51zfdNZElce until the proxy is back.",
  // Docker Hub: personal token, organization token
  "Pulls by `docker login -u acme --password-stdin` with dck¦r_pat_BMRFD_AXPgSiBG7SQJCMkeJ47PF are not limited.",
  "Image scans run as dck¦r_oat_RHuKqjblJ0YJj9EsDh1enfBcEuikP8at.",
  // DigitalOcean, Heroku, Heroku (by name), Fly (two forms), Render, Netlify, Netlify (by name)
  "Droplets are created by dop¦_v1_f6ace5691966e9748de4e41b4420d0569fca2ccd79b695f48ed35a7cd3ba0368 again.",
  "Releases by HRK¦U-AAp¦B7Mw7Gg97WXeLc6-UEk¦OBH5foyjjQ7CHzCqPQf98zDR06uEePwGaNlB7s are queued.",
  "export HEROKU_API_KEY=f8a¦f2b97-593¦8-42e¦6-881¦4-b949bcf0a6a3 and deploy again.",
  "Machines started with fo1¦_TtTCrd3nigchXYy3R1Bv8MRU6MOJ1bVuhqEdJpLRj9u were stopped by mistake.",
  "Use `FlyV1 fm2¦_UmdLo2czmS0qvp3LdBQhYU7EktFYGMyd9vPTHfDEXlkSceimv2P289me4JV2YLkKoYa5izUg65Y/NCy¦vBH4C8291aqgQ+HT7¦FewTBNldm28aD/ykuh+t16¦2jurVX7XPbaF4hqjtSvn8y4+o5n¦tWmHxQzd2630tCKRB1Le/gcsLNmcYPKvGdz` for deploys today.",
  "Deploy hooks use rnd¦_qQBhAS12vq5jytCWfplred8JrthN now.",
  "Previews build with nfp¦_ohgNKVrhhwiJabcxo7VTjVCh58Uv69rHUoUX.",
  "NET¦LIFY_AUTH_TOKEN: CMB¦rCxow4ynV7MlEd5K5x7_40derkPkprWETlyVX4fS must be set for previews.",
  // Atlassian: API token, Bitbucket app password
  "Jira sync (ATA¦TT3xFfGF0Kl52lyOM7SbxRqaAdEl4ez-RJL¦VDelbQfM49hBXI2SkFAqWDTGo2Y3UNWHLdUYdTjNnScDvxKI0BoeVQsTrSssImVHr-t55¦FSgWsJJ8Kr138QPLUfewef58yzBNOXAdXvABN-j3D¦dhqbQyIRFsJVhJt5OdlaOaUuGCdpdl5MtHae=3D119A57) is two hours behind.",
  "Bitbucket pipelines cloned with ATB¦BdO4fftA7815p3nA2iFALFXOWbQ3aPdnP.",
  // Doppler, Vault, Vault's old form (by name), Terraform Cloud, 1Password (service account, secret key), age
  "Configs are read by dp.st.prd.CUL¦ebi1giYnCvhRFCWkBdWTWsMiHDNBUWxUBTibx6yW again.",
  "Leases of hvs.CAE¦SIgz3PxJUM12c94_aSokKAhNoPGk6wW-DVo¦K3vFgeJWlhPNKBnQXpPMtLuVm_IP3H8Lnmzg1KI_yo3I3-cSGhhREF6U7 expired early.",
  "VAULT_TOKEN=s.k3K¦LCh6ReONY2X0yCZOxMIeI is valid until the restore ends.",
  "Plans run as CWrUFRJW7dvh4C.atlasv1.Wwz¦Rdh9wJInszcS8TXc06NsOMCFKpBbuRESSlqCRvL_mCZqtkewpls7DsEIITyxGo1l in the meantime.",
  "Syncing by ops¦_eyJzaWduSW5BZGRyZXNzIjoiYWNtZS4xcGFzc3dvcmQuZXUiLCJ1c2VyQXV0aCI6eyJtZXRob2QiOiJTUlBnLTQwOTYiLCJhbGciOiJQQkVTMmctSFMyNTYiLCJpdGVyYXRpb25zIjo2NTAwMDAsInNhbHQiOiJ2NGVKZF94UXlLVi1wN2w1VGhaRjVnIn0sImVtYWlsIjoiOGI3b3RvNW9vd3RnbEAxcGFzc3dvcmRzZXJ2aWNlYWNjb3VudHMuZXUiLCJzcnBYIjoiZWFlOWE1Yzg4OGE0ODFkZWRmMDE2NmRjMjIwYmFkNjcwYWZjNDZkMjBmZTUwNGUxYmExNzU3N2Y2ZjkyNDJkMSIsImRldmljZVV1aWQiOiJ1cTMya3BmNDJxdWRzYmZ1d2k5OWNiZTVxZyJ9 was interrupted.",
  "New laptops enter A3-I6L¦WCJ-M3K¦I9A-IVA¦JG-149¦8T-PXKYN-96C3A once.",
  "Backups decrypt with AGE¦-SEC¦RET-KEY¦-1VW¦V6NW9YZG602XGW6YZUYRMNHMPNCXVKRAZ9FP6AWE4SCF3ALYEGY0F57R.",
  // Shopify, Square (two forms), Plaid, Twilio (by name)
  "Orders are imported by shp¦at_c194892fcfb17ff012a93bb31a46e4ce with a delay.",
  "Card readers used EAA¦ADANNXA4JE781-qwK¦1ZojKUtzT3V-qTy¦bmtZrW2yoBb2tVeEdi5qLP8BJJsen and are online.",
  "Square sign-in works with sq0¦csp-9mR¦59Yg4rSPwPu17tHidsPx04LY5oOQsm-cx2mmv4V5 again.",
  "Bank feeds of acc¦ess-pro¦duction-3be¦11535-dfd¦2-41f¦1-9d6¦f-00b4ee4db70e are stale.",
  "TWI¦LIO_AUTH_TOKEN=ad6¦9e58c12311605f3422a9d152546a2 was deployed with a typo; text messages are sent again.",
  "twi¦lio_api_secret: Ex1¦z26610v3ydKYvT9ssHoZMwOf34l3y replaces the one in the guide.",
  // Grafana: service account, cloud
  "Dashboards are provisioned by gls¦a_0wyQU2f0Y39sDqqkBju5lkFwtpcUEKYc_0605d0ed.",
  "Metrics are written with glc¦_eyJvIjoiMTAwOTk1MyIsIm4iOiJzdGFjay0yNTQ0NzEtYWxsb3kiLCJrIjoiUWVQYlp3YWp3VVZCb2ZCUElZQUVjMmJ5IiwibSI6eyJyIjoicHJvZC1ldS13ZXN0LTIifX0= again.",
  // Sentry: user token, organization token
  "Source maps were uploaded by snt¦ryu_c6f266e12d465bc6621ba040ed155e63ed1fbc92c34aae5f171105510e32080d.",
  "Releases use snt¦rys_eyJpYXQiOjE3NjM5NzAwMDAuMTIzNDU2LCJ1cmwiOiJodHRwczovL3NlbnRyeS5pbyIsInJlZ2lvbl91cmwiOiJodHRwczovL3VzLnNlbnRyeS5pbyIsIm9yZyI6ImFjbWUifQ==_JA+lFM¦pivvvMi71uYmCeMP86NRwwAyL40cNQQpzB292 now.",
  // Datadog, New Relic, Dynatrace, PostHog, Sourcegraph, SonarQube
  "Agents with DD_API_KEY=538¦81c09af26a56012e86569505acd1b report again.",
  "Traces by NRA¦K-CBR¦MEL952WXKFW3Y4Y8S2LVMIBE are complete.",
  "The extension writes with dt0c01.FR7¦KIY2IOC4KAOF45D3Z4P2Z.3XY¦GYVY47FFQHRWADBRDEP3DDJUCVI7PGSWM3KXCCGWV3GNPXJMDBH3ASAPBAKTU.",
  "Insights are computed by phx¦_OJxrLqw9UVKSA5HZHJPE3EL3UjfAuqh6uShyG6OuTXn.",
  "Code search indexes as sgp¦_5b6bf05856c64ad6_6f89ae1ba6f370491f5c2dc3f4d34801e70b00e8.",
  "Quality gates use squ¦_1866aa0c37ab6d069633cb7be3d6be367014c253.",
  // Supabase (two forms), PlanetScale, Neon, Databricks, Airtable
  "Migrations run by sbp¦_4081562726ec505776cc14b8e9548f7f12b3c361.",
  "Edge functions call with `sb_secret_6QZOSf9VpwzlZp4xsnE-qH_U2jlWd8Q`.",
  "Branches are created with psc¦ale_tkn_yrOm8s-GiS¦4A-vNP¦JAIl_Q40M0QETVSie_gWxzCPRZU.",
  "Restores use nap¦i_7dh44qfcp7xxrxzpp7bin2tqb5ugedwe0j3bavukvxoewt7n12w0in61o7inrx4h.",
  "Notebooks attach with dap¦icc71ce25528e5d72140b892187826cc5 again.",
  "Forms write by pat¦0Tgh0ZrHqGGx4j.714¦c06ae09568fc407acaea60472fde31fe1eb3bc3606bd58100a7e3ac1c5b85.",
  // Postman, Figma, Notion (current and old form), Linear, HubSpot, Contentful, ReadMe
  "Monitors run by PMA¦K-cec¦b89f95deaa810e1d90d73-2df¦f0c2dfdabfc4d2284d661bb40e37b84.",
  "Design tokens sync by fig¦d_e7nqnczmwINHG3ExU3ufELExBSklArSPnP90rzai.",
  "The handbook is exported by ntn¦_85219937805rzccot9DAOT6l1o71tx1UNWEekpBhvXMUq7.",
  "Old exports used sec¦ret_2iZ95ehQvwacOrm9UAKfUUFx5ToScxVk2h7XpDB3Mio.",
  "Tickets are filed by lin¦_api_j1t2FeHybtXjchQ4WPey6iKRSRnoLFoS1429nFi5.",
  "Contacts sync by pat¦-eu1¦-195¦2e215-b76¦7-447¦6-8dd¦b-aca7d2deab59.",
  "Articles are published by CFP¦AT-fxg¦xrGl-u_5Q6piPeH7q1-LmI¦0pXqt7mAxjcxb4367C.",
  "Guides are updated by rdm¦e_ybi2otlellsi7dsnjkiqornrsdhwquxl1brirptrjmrnsgh0jrshmzf66prgs6fprssdgs.",
  // OpenAI (current and old form), Anthropic, Hugging Face (only letters), Replicate, Groq, xAI, Perplexity
  "Summaries by sk-pro¦j-ZiJ¦s400wuMHv7ju-Fjd¦md7JdDEto0w50GueRvWk7NyuJLqCfYdA6O_QhuuN1gOxTKPHgVaiR3hT3BlbkFJfxH-ARW¦SSAMAkkgDXWby0a90xuNNk26IGIISq-4Q7¦HcCxGlci3Qs0CBZfpMBkEWQR1WDLTqY-5 are back.",
  "Search answers used sk-Yus¦q6SyUDv2ChYz445OlT3BlbkFJYnUnPzDKDPrHt8dPLbKv until noon.",
  "The assistant calls sk-ant¦-api¦03-Fj4¦OBpQOQ9gbGfXmjwwRwt0NhnZbJaPjMpSBPfa402ZqsOmOKmw3F5_GiwIVSInYD38VvJme-9y_GlYROgGFR7le3iqZjAA with retries.",
  "Models are pulled with 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.",
  "Images are drawn by r8_RTj0IQKVzPl06fEfPMb0uQ4rwdsXLigbrh0J1.",
  "Transcripts use gsk¦_oBZ23a3zof9hdS9THgsRbylhIYnmF35iRcB1OISBNaWHIWnZk8Gw.",
  "The bot talks to xai¦-y7R¦Egla3r6PLdQyO4FD2474ExOWF8GNGQToIsXceB8AEi0DCk1AJT3LhhMQ0t4N1tka1h4DtxcNz7f2M.",
  "Research mode uses ppl¦x-YHo¦Ebl7uIkQpBSsDGCsVZrdnkrM5dptlL6DYG2Bef2xFt3y9.",
  // Tailscale, Buildkite, CircleCI, Prefect, Cloudflare's origin CA
  "Join by tsk¦ey-aut¦h-kz7¦ECcxCNTRL-txN¦pqSMiP8cygbrqqcqIegMr01BKyCcr to reach the mirror.",
  "Agents poll with bku¦a_c6f35f2aa08177edc7b426fe0e3df3159dc2f785.",
  "Jobs were started by CCI¦PAT_bhBrofS6pNJELT2WRWWWza_def4eb39951b2823f11100a407df27dfeae2a5b7.",
  "Flows run as pnu¦_bGPwgVWBQJG3J1LTO2IznmRxEKuy1r8KICdI.",
  "Origin certificates are renewed by v1.0-688¦e3e597f50bcfb3f458ddc-51f¦430e5220a8e091def76408d55cb25d397dfc7a869dbfe5b7beeb8689fe4f63dde952326b493ee616ca7b971cdd5dcba41f1577c2e3064f6c02519c9a29a64372b437d5e43a26b94.",
  // Discord bot, Telegram bot, Azure client secret, LaunchDarkly (by name)
  "The bot logs in as Njk¦1NzQ0NzA5NzgxMTk5MjE2.UBHnYf.vEY¦vQQjHT_SIAnH1ClFC8nQhaGmrTY6ntyEMz5 again.",
  "Our bot 4731093961:AAJ¦kh9DAbz5sPeKqKHiXKcx1x6fIsjp0di7 answers slowly.",
  "Sign-in failed: M8A8Q~QxN¦N9Xj8s4q_TMptrrU4DnpqqUTEBEEKJb had expired.",
  "LAU¦NCHDARKLY_SDK_KEY=sdk¦-02c¦ec166-74b¦4-492¦b-b16¦b-f0dd921b54eb is served from the cache.",

  // Headers:
  // Bearer, including curl, in a code block
  "Call it with `Authorization: Bearer Vxe¦7mDg3H8ovvTr1LmT7L1uplZFV_kqxxFEmA4O2oNn` until the gateway is fixed.",
  "```sh\ncurl -H 'Authorization: Bearer eRj¦5nPZM8pTUl5NgTtdzBwJegPkx3aibxSWw1kwz' https://api.acme-apps.net/v2/orders\n```\nanswers again.",
  // Basic, including a proxy's header
  "The old endpoint accepts Authorization: Basic c3R¦hdHVzOnp4bGhDc3EwRERua2pLeko= for one more week.",
  "Pro¦xy-Authorization: Basic ZWd¦yZXNzOnFJV1ZoaTV5bm4xVEVm is needed in eu-west-3.",
  // Token, Okta's SSWS, Opsgenie's GenieKey, AWS's signature
  "Authorization: Token token=u+aHn¦NRE9djKfaWd0EKX works for the on-call API.",
  "Users sync with `Authorization: SSWS 00c¦8KzmYaghz4FKQujMulSzC_pXedmqetzmDrblDoj`.",
  "Alerts: Authorization: GenieKey 7fa¦d6bf7-8a7¦8-4b9¦2-981¦e-5e7e499a9c8a",
  "`Authorization: AWS¦4-HMAC-SHA256 Credential=AKI¦AA7WQEKUGYJWUGCAS/20261126/eu-west-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=1c3¦430dc66e5f1ff7d1eb9ab0877e7c7ca8a4e4601d5cebf3b6466c7c20cf311` is refused.",
  // headers named after a key or a token
  "Add `X-Api-Key: mCW¦zzbvua8BVER95j391tp5lfmVtISew` to avoid the queue.",
  "X-Vault-Token: hvs.ma4¦dEuJqngUsgJBt4gOjtjcPM45Z-d84¦zIgvjvr9h9b4mwxp-tel¦HUeQ-pXs¦Y0WlBTb7t3B8i0Mmj2-7Ky¦QT8QJyNrYGArt",
  "Requests with PRIVATE-TOKEN: rcs¦_lDOjNqIpz0d1B0AR skip the cache.",
  "Ocp¦-Api¦m-Sub¦scription-Key: 33e¦bd147978a7ebbc64c8fc3dd494ccb is our fallback in West Europe.",
  'fetch(url, { headers: { "X-Auth-Token": "rZc¦dAYOs6RFaldgSG1bLpobr3MRqlQlcCfln" } }) succeeds again.',
  // Cookie, Set-Cookie
  "As a workaround, send `Cookie: session=uWn¦By9lY8CXwNJQ80Na51ypzR9tHk8uy1xdxQcewMy9zCdSG; theme=dark`.",
  "The answer has Set-Cookie: connect.sid=s%3Ad¦e_jKivm-rGm¦UXMcmY2QEwfWZDs-ZL5v.wXu¦0Qe0tzVw1Ipc9OjHX9TLcakDqGfh0Hy0ZdAPl; Path=/; HttpOnly",

  // Commands:
  // curl -u
  "`curl -u support:8tnLjkHE54qxvA https://api.acme-apps.net/v1/health` shows the state of your shard.",
  // wget, docker login, sshpass, mysql, PGPASSWORD, .netrc
  "wget --user=mirror --password=MAwzTdhtpiMO https://downloads.acme-apps.net/latest.tar.gz works from all regions.",
  "docker login registry.acme-apps.net -u pull -p aXU¦sBZSNYSjgHC7L31IJ works again.",
  "sshpass -p 'x7KdvsiTLrWq' ssh guest@shell.acme-apps.net",
  "`mysql -h db-2.acme-data.net -u readonly -pCgAsn8sSVqdVPc shop` is the read-only way in.",
  "PGPASSWORD=vz1¦DlhS1u3YjGB2OYS psql -h replica-2.acme-data.net -U bi shop",
  "```\nmachine git.acme-apps.net login mirror password PZE¦J6qYv3GmXMTWFHiKU6Dvb\n```",

  // Names next to values:
  // password=, with a password that a person chose
  "Set password=Win¦ter-Checkout-2026! and start the client again.",
  // passwords under other names
  "`db_passwd: GJo¦y746g3PY58LEU` goes into the helm values.",
  "pwd=w4QHieM8qDgv",
  "psw: QjIAUPch017E für den Testzugang.",
  '"passphrase": "lna¦ffskl-xzf¦yys-3744-liumxoo"',
  "senha=EnLiUR9tiSsB para o ambiente de testes.",
  "clave: y5rLX5MEQ1A5 hasta las 18:00.",
  "mot_de_passe=qOdO4c7CEkzV jusqu’à 18 h.",
  // JSON: a client secret, an API key
  'The token endpoint answers 200 for {"client_id": "status-page", "client_secret": "WUT¦OPDyehqF6Ty7ipMdBpAaGfcsVEamDfZ2A8E9R"}.',
  '```json\n{\n  "region": "eu",\n  "apiKey": "6tv¦v6BkFw5iflKRzz2Lz0legVR4ZaDdy"\n}\n```\nis the new config.',
  // YAML, HCL, INI, XML
  "```yaml\nexport:\n  endpoint: https://collector.acme-apps.net\n  api_token: 275¦UDfwTCr1aXRwaD5QuXMr5KHbTPHGfE4kNjtor\n```",
  'provider "acme" {\n  token = "fSB¦78w0WN6vp0fGWFMfAsSqYrroKthsC"\n}',
  "[client]\nuser = bi\nsecret = 8l2¦TUkN903ysoKnhZsQlE2Zx",
  "<server><id>releases</id><username>ci</username><password>DmN¦81NHul4FozTHc</password></server>",
  // Azure: storage, Service Bus
  "Def¦aultEndpointsProtocol=https;AccountName=acmeexports;AccountKey=bCfeV9Crj/GOCeyjjmmlpKCr+Y+AOx¦8b0ebK5EhZT1y1cj+MEyor4bLOJPeo/R5O+LROTrleEkc/cYevzZjRQg==;EndpointSuffix=core.windows.net",
  "Endpoint=sb://acme-events.servicebus.windows.net/;Sha¦redAccessKeyName=listen;SharedAccessKey=zxG¦1NRBrhWUwuTbtqMMAA/Rb6¦Xi7ptyqCbxT2GEmdVE=",
  // .npmrc, Rails, Django, Laravel, a wallet, WireGuard, a Kubernetes Secret
  "//npm.acme-apps.net/:_authToken=g2c¦ztrZ8mICLIFRzcUa79c49PU0UIP7K reads packages today.",
  "RAI¦LS_MASTER_KEY=4fa¦b5f5558db29f6e753f1765052d631 was missing in the new image.",
  "SECRET_KEY = 'dja¦ngo-insecure-=uw&k3z+svdm2r74er#ppforo=*qa2pe-x2us+4dx2j^n9*a&&' is why sessions ended.",
  "APP_KEY=base64:jso¦kam1FUvRzetG5QnaUo8nwxKCK15vb1e62zAFucWg= was rolled out to all workers.",
  "private_key: 0xa¦b7d8d696618cd00e7df5a6a7c6437ca47342909707e6a7b926b3b7bd0ce5734",
  "[Interface]\nPrivateKey = 7JS¦wcPAvhnE9s5Y1sR9aWiw59RTFUf4aSBpQqOHof68=\nAddress = 198.51.100.7/32",
  "```yaml\nkind: Secret\nmetadata:\n  name: smtp\ndata:\n  password: SFZ¦PbTdqN2pNRDVidmhkVHZV\n```",
  // sentences that contain a password
  "The password is K3mUgtIwYjQi until Friday.",
  "Guest Wi-Fi works again, the password is Har¦bour-Lights-48.",
  "Log in as demo with the password “51JC6XuveU”.",
  "Username: partner / Password: zRtre5vhWhTZ",
  "| user | password |\n| --- | --- |\n| demo | t9qGOyJ9ILE6iH |",
  // sentences that contain a token or a key
  "Log in with the token STQ¦3WHdbLtOqIqwqEuCQj6NI while SSO is down.",
  "Use the API key GP9¦K8Hse6B2tt9LrE3q44iX82sgthr7T for the beta endpoint.",
  "The new signing secret is `581¦4756a882a5e2d875bac007fc13c13f67a596c3097e8578636fb38f5c760c3`.",
  "Your recovery key: N0B¦Q-UMQ¦V-S2U¦4-2NJ9-URD9-0W4G",
  // German, French, Spanish, Portuguese, Japanese, Chinese, Korean
  "Das Passwort lautet HRw6cLubZ3mr.",
  "Le mot de passe est « Op2TZEIpqbbR ».",
  "La contraseña es j76VNTA39H4r.",
  "A senha é TWUA2OnbQn69.",
  "パスワードは「8r5AdWc1dq4g」です。",
  "临时密码：ugxUzkpf1KN7。",
  "임시 비밀번호: vcHzc3cpM3sr",
  // queries and fragments
  "Status as JSON: https://api.acme-apps.net/v1/status?api_key=veF¦mZEYvO99VPB1lm6hOLhsjSHJo0S0G",
  "Your export is at https://app.acme-apps.net/export?id=42&access_token=jH_gdN9R-vZd¦KRsv8BGnWe7Haw5Y2Y7BW9MNjkvhXq3.",
  "If you are locked out, open https://app.acme-apps.net/reset-password?token=40e¦7acdc963b91e222ad40e70a2762ea7050cb5be771d134360579bb60536080.",
  "Sign in by https://app.acme-apps.net/callback#id=7&access_token=3XV¦hieaZP26JZvPC-EgZ¦SDe1NEXXf7n39xxybToWzVh&token_type=bearer",
  "The feed moved to https://gitlab.acme-apps.net/acme.atom?feed_token=4yX¦ngcL6xcdEJHIYUXAk.",
  "otpauth://totp/Acme:status?secret=WSL¦NVILSOWLKBFI4OMO77CV33A666IEN&issuer=Acme",

  // Signed URLs:
  // S3, current and old signature
  "Download: https://acme-exports.s3.eu-west-1.amazonaws.com/2026/11/export.zip?X-Amz-Algorithm=AWS¦4-HMAC-SHA256&X-Amz-Credential=ASI¦A2HX56WJOPL7NKGA2%2F20261126%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=202¦61126T081500Z&X-Amz-Expires=604800&X-Amz¦-SignedHeaders=host&X-Amz-Signature=b26¦f01a5c60103f57a2210fc9115f212847237f77ab53a3f7509a878d3ec19bb",
  "Log: https://acme-logs.s3.amazonaws.com/run.log?AWSAccessKeyId=AKI¦AIGXZ5RMETIDDYDSR&Expires=1795689600&Signature=GAp¦8fLrKnZDCmsSHgSKsWINTM6w%3D",
  // Google Cloud Storage
  "[Report](https://storage.googleapis.com/acme-reports/november.pdf?X-Goog-Algorithm=GOO¦G4-RSA-SHA256&X-Goog-Credential=reports%40acme-prod.iam.gserviceaccount.com%2F20261126%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=202¦61126T081500Z&X-Goog-Expires=604800&X-Goo¦g-SignedHeaders=host&X-Goog-Signature=38b¦ad8e36518db40514fa09961544d971e677176e412a7388ab0729bef8506e09f4b4cf45ddf88606a0e199f36421244dea58ac60bfaf71f15c310cb7947cff12370852a625257735cd451b8e3651cfe3a3c87440713072fd0fe09f3cfafbdd53c28baeb6d8540bf5d73fb76db3c02894e3572242d0e17c75be356e195445dc43805eebc6e01ed1412ecbf5ebd1c38f9d4ba509c42ff96edfe9608e3b23d319daba2a773d1d2b94974a9a50e9c1e4546f62fa70587c8c66b8b938fc7a3a64503cddea1d05d34bd9666433e597594f663c877df29980d1fa1b5c6d0a9d5412530b6ea6cca8f6b1f7d2a085b9aa6b1b9d3f5eacbb64c948bf6d1102136237d55b8)",
  // Azure Storage
  "CSV: https://acmeexports.blob.core.windows.net/public/november.csv?sv=2024-11-04&st=2026-11-26T00%3A00%3A00Z&se=2026-12-03T00%3A00%3A00Z&sr=b&sp=r&sig=MZl¦2iLx6W3wU7LlsrlPLRp43RV6iX9GMq372ChqB1MM%3D",
  // CloudFront
  "Video: https://d2acme7x9k1q3z.cloudfront.net/townhall.mp4?Expires=1795689600&Signature=of6¦zGHmZ9joHo09atfI8-Hy5¦gM4FENYgF9QLxo7OOvuOBruynfAAhkOkqQw-IUv¦qFBAAcUBDnX7RO7eD33fBdc~hSW¦J35rwCwAmO8BRk8J-WL7¦NjzY6kN7SdRa46iOnSXMgVom8sSBQjoeUx5I9bW8q66yIuPnJnbVKSP9WtFQq5qTW~39xKiYd~hlH¦Io7c0HRuLWuelIKaMxrdzzH5Ppq3Uynx-rIn¦wQIzSAjfDTvhM0JaITezsv2Jw0lf57YyaRX1iTnMdF8zPAi4b4iQ17SmK1xPOi9HowSA95yCKcB9tE2I0wqdkqLrn7Sb7433B3d9aeG2fyFILsCphVSH6__&Key-Pair-Id=KRWV3ZQ62I2DTF",

  // Webhooks:
  // Slack: incoming, workflow
  "Post test alerts to https://hooks.slack.com/services/T0RKM7KK3PC/B0534M994RN/Fv9¦NPMiPrfG7HC3VXgd5XuyJ.",
  "Start the workflow at https://hooks.slack.com/triggers/T0KL7YU5RY8/1380979676518/0f7¦aae984c771bf8ad1fa9b448492c8f",
  // Discord
  "Community alerts: https://discord.com/api/webhooks/879¦5988756923363834/Xtd¦yUWXS1_PmcNrIiFufUi9zpPM-fx9¦hVDk-ZDf¦Z3VE8KbOY3jJva7F40tgRc-1tH3hh",
  // Teams: outlook.office.com, webhook.office.com, logic.azure.com, powerplatform.com
  "https://outlook.office.com/webhook/58f¦be7d6-24b¦8-457¦5-af5¦e-a7bceb31f7af@158¦eec1f-169¦c-4c0¦4-8d7¦d-3c29ddedc64a/IncomingWebhook/7a2¦a6229a0ac7964682ad0088368102b/e12¦fc3c8-c68¦1-40f¦b-a9c¦e-e79faeafe475 stops working in December.",
  "https://acme.webhook.office.com/webhookb2/703¦07f4d-bcd¦e-430¦2-8ef¦e-5a83a5ac7852@26f¦abc46-728¦6-4ba¦2-8de¦0-ae1418b487d5/IncomingWebhook/043¦622255a3aa63e4f6afc3b51d96d1d/9ca¦bbe92-f5d¦c-4c1¦f-8f2¦5-ffcd27ac4309 is retired.",
  "Notices go to https://prod-114.westeurope.logic.azure.com:443/workflows/fc2¦1f9f36e43dd98d6705c02aa08a69e/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=6wf¦beUnTaLl3rwYfh03ni8ZBq33JeFR08VRuJVxWgvo again.",
  "https://def¦ault1c97c8a2898923ab898f4896143400.e4.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1fe¦b1adf70b2df544980701e557ca742/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=mBs¦oYDcv72_6WVap-Gzy¦HkqhaHbKqLOmJ95fXHPRqjY",
  // Google Chat
  "https://chat.googleapis.com/v1/spaces/AAAAwZEps0X/messages?key=AIz¦aSy1iF5XNQRLQcn9yXd2Ryl4nixOJJ0TsC95&token=nAW¦fFlKwg0Cbg1khznVNYSrpm0JOgUVaRMrvr6VOVaA is read by the on-call team.",
  // Zapier, Make, IFTTT, Home Assistant
  "Subscribe your form at https://hooks.zapier.com/hooks/catch/5319213/648acfl/.",
  "https://hook.eu2.make.com/lku¦gkpo1fpdslidom9lv4w0n5zvek8me accepts reports.",
  "https://maker.ifttt.com/trigger/status_down/with/key/48O¦xh0t3cbrgk7Qlm4sNmX",
  "Sensors post to https://home.acme-apps.net/api/webhook/Qjl¦CKHEjpvaJmHFv3YB3WpucuprQFpV9tSXQ0ThwcGt again.",
  // PagerDuty, Opsgenie, Splunk On-Call, Grafana OnCall
  "Alerts reach https://events.pagerduty.com/integration/621¦a6ac9462d2e87602a1a60d23a9c8d/enqueue with a delay.",
  "https://api.opsgenie.com/v1/json/uptimerobot?apiKey=499¦d9ed5-41a¦b-434¦9-b76¦1-25cc653e8bee",
  "https://alert.victorops.com/integrations/generic/20131114/alert/19e¦237e4-63b¦8-442¦7-a4d¦3-8bcc4a5c8fcf/noc",
  "https://onc¦all-prod-eu-west-0.grafana.net/oncall/integrations/v1/for¦matted_webhook/YCF¦1Oy9FHEbHMXLmkyW5sP47j/",
  // Mattermost, Rocket.Chat, Webex, Telegram, a heartbeat
  "https://chat.acme-apps.net/hooks/phe¦si81webg9oshq1hlf9nsxwz is rate limited.",
  "https://rocket.acme-apps.net/hooks/5VM¦KgLLdEceLh5ZJ7/quv¦v9GNVpDvUUI6b8oFyJ9pWxRuEJvrmvpLPgwNznUzYhmvFmKsd4TwX5DFblxPU",
  "https://webexapis.com/v1/webhooks/incoming/Y2l¦zY29zcGFyazovL3VzL1dFQkhPT0svVEufOU80eyVqAaP3BAutNbIzKCGAk2SLm5Kvu1bxGleHqZ54",
  "https://api.telegram.org/bot1340775286:AA4¦IY-pT2¦Kaj6soBnDADoXizISyh_V9gZOu/sendMessage is slow today.",
  "Jobs report to https://hc-ping.com/89b¦3f75d-841¦1-4eb¦5-906¦6-e9351aaacd21 late.",
  // a private calendar
  "https://calendar.google.com/calendar/ical/ops%40acme-apps.net/pri¦vate-9f1¦c2aa5de94e503db49feaacf5bfee4/basic.ics has the maintenance dates.",

  // Private keys, signed tokens:
  // PKCS #8
  "Replace the file with:\n```\n-----BEGIN PRIVATE¦ KEY-----\nMC¦4CAQAwBQYDK2VwBCIEIoBC08Oa759Owm6RMyVN5HQis27Qb9/ALGRLlcnKEfHk\n-----END PRIVATE¦ KEY-----\n```",
  // RSA
  "-----BEGIN RSA PRIVATE¦ KEY-----\nMI¦ICXAIBAAKBgQ9ketFyiBaUDnIVGnoa9DLY3PxTK8V/Bhv¦mLwNH6t8hCPz7KT91\nVD¦I0Vs4j5aLkMXPLsHeWx3CqNFqhisPAWEQhxAlC137hR5MUoUekTkTN85u/V6fe\n2z¦ubf0oO59mMyfg4E7+fEU¦gL00zoPqDKyGl8v2UVtRIllCIo0MUZiKFGXG4xs3u/\ny+S0tMNAEA/W3Y¦rQQ1MJjX9q7wE1abraz48aq4YBzhh5jp8K5CoR6PyMWbfIgEHz\nkB¦J9UTwDtUz7zI1lQTWqU4F2293JBNMJSWfnL5FVP18E5bBZqswxWOR+HtkYQ0oQ\nRO¦VOM8683n9bVqfct6PknmxMy18pHFW6f+TjScobt0ojC13Eo+QTQbVLzhnI0blK\nv9htxQq/0A4¦QmV5p0rEDye4ZtS6Dxyc2SMh/Oj9¦mnH3Ax7CdWt1ZfbZXYMe//hWO\nAP¦9NvIrM7zbvROe2iJtE5FkHrgF+Dl5f+TlnCvTpyvKAsiP/5JI¦BljKvE5FMShz5\nMJBiMvWOz+IpMYL+a8b¦EvvOmZb1dNTf8kj6WDK7MJbS+/RdL¦1A1agibbC1dUEllf\nh9¦siwjCjOZ3v63Kv/EOfBRf/E2R¦XhPAActsdUExFraN95bYu81Cm5X8rpiVrvBIB\nRi¦bCFnUSbJo1x1xHbcxA6i/Dq+77P¦Zl3mag3ZQItZZyNKMx41l/iMp3R2IXlZhXk\ncX¦Qp5O1tBIbAMkdps66I9QPGoekIuCs/9sw¦stGoJtpC7lFe6ybWJClwWNG72nsH7\n1Bonqnmyi6Sp/uclo++ckN4nu+GMI¦njyVNuB0mALA8Y=\n-----END RSA PRIVATE¦ KEY-----",
  // elliptic curves
  "-----BEGIN EC PRIVATE¦ KEY-----\nMH¦cCAQEEIqEoRGoNp2Su4lRbBBcjgSsHhl+tAi¦Nu45VK76LympG8TuUeUtfedFm5\nT/zJvXWvsXG+DjymJs0RaQ2ZBKA/Szr¦S4z6SOnJYyimiW/ZNX¦le6v11ckwGeP4VL\nH9¦9AcRaQQARIHxai/eHv¦MDDMQltvgo6LTg==\n-----END EC PRIVATE¦ KEY-----\nis the key of the test server.",
  // OpenSSH
  "-----BEGIN OPENSSH PRIVATE¦ KEY-----\nb3¦BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz\nc2¦gtZWQyNTUxOQAAACA0Cr3a3fk9ZEEiEd6xehqOsS3mO63rsgsi4i3ToG5LU0Uu\nFm¦v2zQTpirH2xi5ORrVJK6AvQglSrsugdPwZxnQdeRwFKrbLZxQw/LtNN0mpZOZ5\nPiGJ5OdgO1/FK4tH/4m+J9p¦Oqty5Gq8D3VnsD2fhqOk9A6d82jVHXg/CLCn3/c6W\n1taK6NSVQeU/xeB¦rLJKrAz5BOSrRgcUn/Oi+KtAeya7yhDVi/1StfTCkCB8mo2ov\n/r9n0s/12D6dee+oFk¦sFa5osfeFfdf17En07X7+Qd5¦WDgon9QOCDV7cddULprFHF\naK8=\n-----END OPENSSH PRIVATE¦ KEY-----",
  // encrypted: PKCS #8 and the old form
  "-----BEGIN ENCRYPTED PRIVATE¦ KEY-----\nMI¦HsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAggHmNhGl8LNUIVdunY\n2cNd7VhrbVMU+qMG¦p5KnTMqneb3HrccPjPa8PUbNrbMcA7cY9hgPKq697nasq+TF\nJg¦udrQwTx6GFIEwARAcnYdnAXYBebAfR89fk34qk2ldS81MmGXmmEV7yX5Mhl1mA\nZG¦wIQrpueY4B33xP/zXD¦tQi1Jmn1QB86E3qz/CAP¦dNDdjs3ysA8NwfABXzbqD+QH\n9I¦T14TzSTWt2apb+Bww¦oEobPRRsl9NG2yLghl3Du1uTLrhZVyyOhepU/BrmmyKI=\n-----END ENCRYPTED PRIVATE¦ KEY-----",
  "-----BEGIN RSA PRIVATE¦ KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,112¦325E492CB1C5197523B45F677DA4B\n\nkRHYom+Gcq¦UygVQ8xHlygdRt3eN5G7Y+Qz7¦AUFOyeojQcFyupQPHOVkaiX6jY3Fv\ngX¦Dxdm7wBoLXAmY+jgS¦MyfhnjpzmsNxwn6a1KpIF0VNs3KXy8JsEGB1vwgsNUeM1\n1s¦fTdRLbJBlWwH0V6+EXTfF++E3F4UsXKv+Ux04LPzGMR+H8V¦4KLKIuCutWWnaeH\nxh¦zRo07EQre6h4CNptXxnLZQKk4gwVqx+FQtNj+Vd/wNL9w1cHj1BK+Tu+QJ6vFk\nzU¦aY36m1Y4c3XWfsBARtDnrHJP0nNv8S2+3Yn¦nX7pTBGbLI78FLxVT9LkQlaUM6m\nfhs+qhw¦imAwtV7A9t9twnG4Xfl5/CzK¦IyemgV81xwoAnLknSJG+x18clcFefT3HT\nUc¦lJ7Jc61tk8HZbSS5DqscJj81SRJsOe+rlC¦SAKJCwjFPKt9lK/n+MW6gWQ0FSsn\nk+SUahnz0OE+CPp¦FHwxAzjTQZcPXmSKkN1DPBcaPhYj5b+5lV¦MC3r3MhEdpYDJXg\noy¦3OAMyKl3S6LSfLniadui9w9A9wFMjvvu/CeC8v7d5G5+Bj4yQ6uf6/t/sI0Aw5\n9I¦ZXmsHXR7xDbkOHlcC87LP1LgGZDwhZzGI6nCGgv8J82d7FXE0BMspqZuEbhNp/\nCPthnM/4DR/ObBQD6tNPm+VrH¦bmOhHbeFlOQGcSymgoW7bO5a8DYyof48XGmqYpM\n4kpIeq5RpF+CwF¦hvpzHplrH26o5vSdxHh42qcDv/ESiDzMfM/O1pUdv2sSnUpAAi\nEO¦9aBmrsCOYwFuhKPD5K8mNtN5qgzqQ0N3ZNVFlZBFw=\n-----END RSA PRIVATE¦ KEY-----",
  // PuTTY
  "PuT¦TY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: deploy@acme\nPublic-Lines: 2\nAA¦AAC3NzaC1lZDI1NTE5AAAAIQaSc4ZZUCMH95XJd694kGUM0tn5iRiNvSAA1+Xj\nXKWP\nPrivate-Lines: 1\nLc¦h3NJOwZnQ3WLAc4WIEz8wcH2FXwi/eYn¦l7HqtT8yv7hlCy\nPrivate-MAC: d0b¦9efc16974d63b8cc3238a8ff06123a22ab99609f7832f75e4a50782e46b8d",
  // PGP
  "-----BEGIN PGP PRIVATE¦ KEY BLOCK-----\n\nlFgEZD5JkZs+QJI4bc+1UX¦TQsfCzWvm0tBZKSTRCPAFaaWAhEWpAt7/wq7QWbfW7\nLZ¦k1kxUwUXict4tyWelWSd8MjWRNi4F0BU3CEiJpII8NxW2jCXJjMLP1YtdJCiv2\n6l¦AGd7bVJ61X1HHOfkoR+ACZ¦QapWGKBw8gE7xxFEh0iVXARobS91pax+bSkXpuB5\n+rem¦csKAlQbVCbR2K5DjV7LupigTL+xpe¦L46qxRIntkbW6zbZJOmiCZjajY3ZbGf\n=SqUD\n-----END PGP PRIVATE¦ KEY BLOCK-----",
  // a Google service account, with escaped line breaks
  String.raw`{"type": "service_account", "project_id": "acme-prod", "private_key_id": "f61¦4b53fe099526984bb089fda8913769a5070e2", "private_key": "-----BEGIN PRIVATE¦ KEY-----\nMI¦ICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBdLLl22eL9IH9rj1m\npz¦QU28tvP8AuVmuXpDlHeh9AbNyQ8Ijil4pUq6B0BtEXhEqFo20ZEG5Te95ScKjc\nR4¦HiqfGrHdltv3KErZgFWWzX0zIrC2iG0tFIhui7meJNHCpJOVr8gwf2GFtg3al+\nsBZ/cad¦owitShYo9CZNLoj/uDPBlC8dx6+2Cc+H8G¦5cW8Iddp9apQMMf9b3tCjRX\nmZvo7uO59/WFw¦tRpClC3YorQFjkCjlo6Gtv4iuRHM6lKfwZqEA7OVfpia0URbUqZ\nb9Lgebq0PSi1FR+qbP¦b8xj66EA3t1PHZQmRkSsWFA4h1XH9kURYW+MZXnKlIeZ5O\nCW/Bwg¦t55KYBw18qzgxNFiPjqTjgfAQDFGCsKsFbuXQ7xiPHhdStUivZDpDCKAib\nn2¦ByFL64hDUY6dGDDAAGsQpkB7F+f38¦1dVsvM7cjwdwL6q9sKTyhCF1JJzgl8l0H\nzj¦YygJMooqiWqH58VhVtKEcZEk4mTsf2T4fvt4jjBCe47oQhBOJGnCyvIV77I3Xj\nRL¦N0ujtnzKDRMq8+hIQ¦mmFqBjmAv8peFV4d04DfuY+GG5wTXOBGuNjiEt/difuQP\nB+t0n¦J3mLfnLZpZtzeXnBIC+6Zgf6T/L9BVzkMEGYxOqG/iiX¦HVLkXp46Rnoe9Fx\nK0¦vRK7tHPHKHWLvZY6gqi3RjvPN5GydvtjXwi8/LLI¦4READQr1edzS0rCnmn7AXx\n9F¦TzDh4DzUfLE1qWY0RK1Lvyr5lh9v4yqZQhA+HJb¦4382Xja70dNyj2RPDiS3PvA\n6npKWk8nU2VITQ==\n-----END PRIVATE¦ KEY-----\n"}`,
  // JSON Web Token
  "Sessions such as eyJ¦hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ¦zdWIiOiI4MjcxMDE1MiIsIm5hbWUiOiJTdGF0dXMiLCJpYXQiOjE3OTU2ODAwMDAsImV4cCI6MTc5NTY4MzYwMH0.5Dq¦_4gfcSjpO3zjz6KsQ08Q_bZpvcswcW5JPYfqxU6A ended early.",
  // the key for a role of a hosted database: a JSON Web Token
  "SUP¦ABASE_SERVICE_ROLE_KEY=eyJ¦hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ¦pc3MiOiJzdXBhYmFzZSIsInJlZiI6ImhqeHJicmhzeHNoeGRpYnNmaWx5Iiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImlhdCI6MTc2Mzk3MDAwMCwiZXhwIjoyMDc5MzMwMDAwfQ.E4T¦fLifsMQaCf2ybZLT0KJOnRdNGfw9lvqejOPADKGs",
];

/** Legitimate text, which must not cause an error or a warning. */
export const goodTexts = [
  // Statements about credentials
  "We rotated all API keys of the billing service on Tuesday; you don't have to do anything.",
  "Password resets are delayed by up to ten minutes.",
  "Access tokens expire after 15 minutes instead of 60 until further notice.",
  "Log in with the token that we sent you by e-mail.",
  "The password is case-sensitive again.",
  "The token is expired after a day now, not after an hour.",
  "Sign in with your password and the code of your authenticator app.",
  "If your API key is older than 2024, create a new one before December 1.",
  "A credential of a former contractor was revoked within four minutes; no customer data was read.",
  "Secret scanning finds keys in pull requests again.",
  "Passkeys and security keys work in Safari 26 again.",
  "Access keys (Alt+Shift+S) work again in the editor.",
  "The access key for the staff entrance isn't affected.",
  "The private key of the certificate never left the HSM.",
  "Basic authentication is switched off on December 1; bearer tokens stay.",
  "Token: unchanged. Secret: unchanged. Webhooks: paused.",
  "API key: see Settings > Developers. Password: the one of your account.",
  "Password: 12 to 64 characters, as before.",
  "Secrets Manager: operational. Key Vault: degraded. Session service: operational.",
  "Auth: Degraded; Session: Operational; Cookie banner: Operational.",
  "Token usage: 12,430 of 100,000 a day.",
  "Key: 🟢 operational, 🟡 degraded, 🔴 down.",
  "The signature in X-Amz-Signature was computed for the wrong region; new links work.",
  "Vault leases: renewals take 30 seconds. Vault tokens stay valid.",
  "Customers who use the secret sharing feature, the password manager or one-time passcodes aren't affected.",
  "Reset your password at https://app.acme-apps.net/reset-password, then sign in again.",
  // Prefixes of credentials without a value
  "Tokens that begin with ghp_ are revoked.",
  "PEM files that begin with -----BEGIN PRIVATE KEY----- are rejected.",
  "Uploads with `-----BEGIN OPENSSH PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----` in them are blocked again.",
  "Keys such as `sk_live_…` and `rk_live_…` work again; `sk_test_…` was never affected.",
  "The scanner finds Pulumi's `pul-`, Checkly's `cu_` and `sv_`, and Slack's xoxb- now.",
  "Our tokens look like `eyJ…`: that is how a JSON Web Token begins.",
  "Signed links (`?X-Amz-Expires=3600&X-Amz-Signature=…`) expire after an hour again.",
  "Hooks of the form `https://hooks.slack.com/services/T…/B…/…` are called again.",
  "Incoming webhooks of Teams at logic.azure.com and powerplatform.com are reached again.",
  "Password hashes (bcrypt, `$2b$12$…`) weren't exposed.",
  "User names and passwords in URLs (`https://user:pass@host/`) are stripped before logging.",
  // Placeholders, and examples from documentation
  "Send `Authorization: Bearer <token>` as before.",
  '```sh\ncurl -H "Authorization: Bearer $TOKEN" https://api.acme-apps.net/v2/me\n```\nworks again.',
  "```\ncurl -H 'X-Api-Key: YOUR_API_KEY' https://api.acme-apps.net/v2/me\n```\nanswers in under a second again.",
  "Replace `YOUR_API_KEY` with a key of the new region.",
  '`curl -u <user>:<password>` and `curl -u "$USER:$PASSWORD"` are refused; use a token.',
  "The guide's examples with AKIAIOSFODNN7EXAMPLE were shown without line breaks.",
  "The example `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY` in the guide is the documentation's own.",
  "The quick start's `postgres://user:password@localhost:5432/app` works again.",
  "Strings such as `mongodb+srv://<user>:<password>@cluster0.example.mongodb.net` are accepted again.",
  "`redis://:${REDIS_PASSWORD}@cache:6379` is expanded again in build steps.",
  "Set `_authToken=${NPM_TOKEN}` in your `.npmrc`; npm expands it.",
  "`https://discord.com/api/webhooks/<id>/<token>` is the address to use.",
  "`Authorization: Basic <base64 of user:password>` is deprecated.",
  "Call `https://api.acme-apps.net/v1/status?api_key=<your-key>` to see the state of your shard.",
  "GitHub's tokens look like `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, GitLab's like `glpat-xxxxxxxxxxxxxxxxxxxx`.",
  "```yaml\nsecretKeyRef:\n  name: smtp\n  key: password\n```\nis resolved again.",
  '```json\n{ "apiKey": "…", "password": "***" }\n```\nis accepted again.',
  // Names of settings, masked values, messages
  "In exports, passwords are shown as `password=********` by design.",
  "`Cookie: session=<redacted>` in logs is expected: values are masked.",
  'Answers contain `"client_secret": "[REDACTED]"` again.',
  'Clients see "invalid_grant: token has been revoked" and have to log in again.',
  "`401 Unauthorized: API key is missing or invalid` was returned by mistake.",
  '`{"error": "token_expired", "message": "The access token is expired"}` is the right answer again.',
  "The header `X-Api-Key` is read in upper and lower case again.",
  "`password_reset_required` was set for 312 accounts.",
  "Rename `API_KEY` to `ACME_API_KEY`, and `client_secret` to `oauth.clientSecret`.",
  "The variable `AWS_SECRET_ACCESS_KEY` is masked in logs again.",
  "Keys in `~/.ssh/config.local` and `~/.ssh/id_ed25519` are read again.",
  "The cookie `session` lives for 12 hours, `theme` and `lang` for a year.",
  "The default password `changeme` is refused at installation.",
  "`token=null` and `session=default` were written to the log; both are harmless.",
  // Public IDs: requests, traces, commits, digests, orders
  "Quote request id a7035a3b-e068-4603-a7a7-b1f0e3979462 in your ticket.",
  "Trace id 8d86d8fe5db740c4f80ef615da0f1a46 shows the slow query.",
  "Requests with `traceparent: 00-4273e805e20e08f381d429672c769d2c-5cd9035506fa1c23-01` were sampled twice.",
  "Fixed in 1d6f055fa75652361e8bff06bad97b7ccb0ac51a, released as 4.18.2.",
  "We reverted 446a4c5 and 80737e6f29.",
  "Deploy registry.acme-apps.net/checkout@sha256:9ea07f8a09c9327bd6ebb4f6a0ddddd7c320894effdf8c01ced2ab8ade5042bd.",
  '<script src="https://cdn.acme-apps.net/v4.js" integrity="sha384-2pH2wxqlxCH7g1oNoicHBrbvtBkBs3uZA+pSIYLoHn9Fr73h7AiUEzqHZ6KPqyoo" crossorigin="anonymous"></script> is the right tag.',
  "We patched CVE-2026-31337 and GHSA-8j2c-x4qp-7v9m on all hosts.",
  "Error 1020, Cloudflare Ray ID: 5c558787130b9add-FRA.",
  "Amazon answered `503 SlowDown` (request id LO4IIS05NQ9YKKNQ, host id 4E7B6hVmkzEdmsx5lI5nE5kakNqGOIF+gIZGSOqZ5ed983yS1paJcVDZURX/WF/dIF/Z3iPpKSc=).",
  "AWS request id: 38a4a31d-aaf0-473a-84ca-7310d8f7987f. Correlation id: 64fc8dbf-26da-4252-b6f4-950d75061f30.",
  "Sentry event 594fea7462c1e96d8838655558f57c3c has the stack.",
  "Orders 2026-11-000417 to 2026-11-000455 were charged twice; refunds are on their way.",
  "Parcels 1Z999AA10123456784 and JD014600006281230704 are tracked again.",
  "Charges ch_3FEBfdOUWqXcGJjokgYq0KpW and events evt_1LpGeWwTcOgC5yVBODkyLtNe are shown again.",
  "The message SMb59e75aa8c330fe668da0937fa69240b was delivered late.",
  "The volume vol-0a1b2c3d4e5f60718 of i-0f9e8d7c6b5a43210 was detached from ami-0d7e6f5a4b3c2d1e0.",
  "arn:aws:lambda:eu-central-1:123456789012:function:checkout-prod:17 is throttled.",
  "Pods checkout-7d9f8b6c5d-x2x9k and ingress-nginx-controller-5f4c8d7b9-qz7wt were restarted.",
  "Idempotency keys such as db2f9d37-b7b1-4a5e-ab20-8c0d67a77ad7 are honoured again.",
  "The CDN serves app.8f3a2b1c.js and main-5KQX2ZBN.css again.",
  "Upgrade to v1.33.4-eks-99d6cc0 or 2.0.0-rc.3+build.4711.",
  "eu-west-1, us-gov-east-1, asia-northeast3 and westeurope are back; fra1, nyc3 and sgp1 follow.",
  "Requests from 203.0.113.42 and 2001:db8::17 were blocked by mistake.",
  // Public keys, fingerprints, keys that are public by design
  "Our new deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIRYXriUvmsLFdNrNds0XwI/3NFCohcf9CWdneGnmGCl/ deploy@acme-apps.net",
  "```\ngit.acme-apps.net ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC6cf1W5NcgHwZrg0RPbIR/gi6zmHO35Fs4wPXUGb751gwhkr8MxbN7fN0BAJaN2JAXSXAtGhknvlGFAAfGtLB/ArjnXcv7c2LQxCvaMo93kX4D4IK1cp0o31QXSYe5lT3BZLTNc7ejii1kCZExdx1TGhLRtFGPxHiQ3n/YVamcXbgf1B/m1bAb4/R9uRHpOQz2SRiAFo5cDDVpHDOWKKPlwnmxRFFADxibPuS3GaYIt/GtaHbHlwPZMKY3GYh0w1US3TbE+MRkQ1jsgprR4Y9EOBrY3JvF03PoB63nvWSyWo2+TO9bpMXKBZkH3in0SvdQCHCVn8MbpEelwfLjrAo4CT\n```\nis the host key; add it to your known_hosts.",
  "The host key's fingerprint is SHA256:00YZiW11obGqtgR6QAaYQzJxVeM0nnQtJuxbqWmy8m2.",
  "The certificate's fingerprint (SHA-1) is C7:E6:3C:EE:3E:56:B2:AE:7D:6E:34:76:E1:43:78:B9:43:E3:7A:1A.",
  "Releases are signed by the PGP key C84A E84E 2CEE 1020 A4D3 B3F3 E2BB 03FF DA2D 6CEE.",
  "Encrypt reports to age1hkueczja682fks35kdrxt600ulajyxeg094ewdvj524d86v36gkkgpe73a.",
  "[Peer]\nPublicKey = lrEyN5V8g5nYl/88zhYoCwzFZh0KzX+zO1si5KIXRXU=\nEndpoint = vpn.acme-apps.net:51820",
  'The record selector1._domainkey has "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQwm32iXGoQ4R+MR/p330ye4TcYU+8Gz9GClYSX++qY9hND+9t+jTQb9L0gnyeyjadKBMxG3COVj7ThcOW0If1/3m0HTC9sR1z6qEb+8z6PJE1Nh8mMCkU29P51XoRQwVyM0ZOrmL6GZvuOqSpP6EspWDAM1TxepCU7xi3d9rNieaiIyQIDAQAB" again.',
  "Binaries are signed; the public key is RW7mXHqPuUp+FDQrvwWj8LYuuhICotocaAgV4zpvFxPoPcZib4DtzVFG.",
  "```\n-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY2SXdfNhzt10ZYIKuOB24zitN7Hd\nQQ62VGzy7EbLUAEmRrcKAkj6dew00MPxqGCvYacteUcSPmH+rjXDsLihsw==\n-----END PUBLIC KEY-----\n```\nverifies our webhooks from now on.",
  "Trust this certificate:\n\n-----BEGIN CERTIFICATE-----\nMIIBtjCCAVygAwIBAgIUSmT6/1fWuyX19WqMnyeUQOSZo5toaq66FMjhRZ/ZREpG\n1l+QtM0WQkGOxMxQM/ZrEP9CxGB+JdCGsv7va7h2BFrallP9n8+ENcOzChlwKyeE\ncgh1LguZyxZOic+5pZe3XgZ2hXn8iC13DfOG6LfZS4SXULJs1qTOCSEYr7Ojzczs\nVuk7kdT4h2bctxQ++POTTOQ+udmX1S2ec5VvankqKM4rJxGJ8Mfn1xiUBjBL+RFd\nab/07H8SusKRTtx2PtAYpWIa1upxkoO2zoBB7MfR5Df/CqKOCbr8Tzty0uc2pV60\nBLwTkH0yJ+r7L/ev1KEaTohBYUppxZQhUA1hsNjNg/ApPA8AK+iJrqScjVvWVJYS\nNakZWvq0+nkGi2yBbXiMAqkeTeLae7Ln57wuHflOsfet4hXm/e0L1ukelvp8cPkw\no49cbzRm0cfE6K6XpznhX0YCIRJoOokutiOi904yxcpp+HB+fxq466HBZUO6SPsm\nqkIv9AnzqdNcFgmeRORIQLqp/QXLO2MW7lkIwj74fuYRr/6EcbaiFs4gQzSEd+bM\nu1G8TmGgj0o=\n-----END CERTIFICATE-----",
  "Browsers report to https://46e5b4b02c1ee0d280cc25b12fba5200@o417.ingest.de.sentry.io/4506 again.",
  "Checkout loads `pk_live_516qcCSNLg1xKNeHkkWBys5sOnJYJLQd6FqdvJDDBuGr8h5Qo8Vnir7EszAUtZvcFlTpn4p2quX97Sv8c2fK0oPhTVNuee1laT0`, Stripe's publishable key, again.",
  // Links that are public
  "Join us at https://join.slack.com/t/acme-community/shared_invite/zt-24wb3gfj4-5uH9LHdkS-PLuJfUKi4900 for questions.",
  "Questions? https://discord.gg/hTKzmak9Qe",
  "Watch the recording: https://youtu.be/kX3vT9qLm2Y or https://www.youtube.com/watch?v=a1B2c3D4e5F&t=417s",
  "The timeline is at https://docs.google.com/document/d/1e8gPjJGoNYhc7tlf_mK03_GKNfUCFk4D_TrWVj7gdrZ/edit?usp=sharing.",
  "Join the town hall at https://us02web.zoom.us/j/84512345678.",
  "Register for the webinar: https://zoom.us/webinar/register/WN_UCsiAI7QITMf8r_qGHdn-s",
  "Maintenance calendar: https://calendar.google.com/calendar/ical/c_4f7a1b2c3d%40group.calendar.google.com/public/basic.ics",
  "New screens: https://www.figma.com/design/WwQM31HUcvaoIYJif4HEV7/Status-page?node-id=0-1",
  "The guide moved to https://acme.notion.site/Status-page-guide-95fd1d6299d57ce8d57c8ffd0e957f83.",
  "Affected ids are listed in https://gist.github.com/acme/053c12ea82bffe6dc3ee975d5d960af7.",
  "Preview: https://65f1a2b3c4d5e6f708192a3b--acme-docs.netlify.app and https://docs-git-main-acme-7f3k2j9d.vercel.app",
  "Use the code WELCOME10, or https://shop.acme-apps.net/?code=WELCOME10, as an apology.",
  "Links such as https://app.acme-apps.net/search?key=value&sort=asc are counted once again.",
  "You land on https://app.acme-apps.net/login?token=expired&session=42; sign in again.",
  "See https://app.acme-apps.net/docs?auth=sso&pass=2#access-token for the steps.",
  "Details: https://acme-apps.net/blog/2026/11/26/post-mortem?utm_source=status&utm_campaign=incident-417&ref=92c3cee1-0a7a-4f6d-ab12-32df8fd096d2",
  "Clone from ssh://git@git.acme-apps.net/acme/app.git or git@git.acme-apps.net:acme/app.git.",
  "Write to status+incident-417@acme-apps.net or @acmestatus@mastodon.social.",
  // Code and products
  "x => x + 1 in the playground works again.",
  "(update) => The fix is deployed.",
  "Function keys work again.",
  "Class registration opens again at 14:00.",
  "functions that take longer than 30 seconds are stopped; async functions aren't.",
  'The placeholder "%s" in mail templates is filled in again.',
  'Mails showed "Hello %(name)s"; they have names again.',
  "Templates with `{{ customer.name }}`, `${name}` and `<%= name %>` render again.",
  "```yaml\nimage: {{ .Values.image }}\n```\nrenders again.",
  "The {id} in `/users/{id}` may have a dot again.",
  "The page showed `undefined`, `NaN` and `[object Object]`; it shows names again.",
  "`null` in the column `deleted_at` is exported as an empty cell again.",
  "`TODO` comments are shown in reviews again.",
  "Merges with `<<<<<<< HEAD` in a file are refused.",
  "The editor shows `&amp;amp;` and `â€™` as they are, for whoever needs them.",
  "`#REF!` and `#N/A` in imported sheets are kept.",
  "Plans cost $5 again, not $50; the 100% discount of R&D accounts is back.",
  String.raw`The agent writes to C:\network\reports\today.txt again.`,
  String.raw`Regular expressions such as \d+\.\d+ and \\server\share\new are matched again.`,
  "Replace <project> by the name of your project in Settings.",
  "Users of OAuth2ToSAML2BridgeEu, isS3InDbAtIo and KeyRotationV2Beta3 sign in again.",
  "The set {a, b} and the range [0, 1) are drawn again; f(x) = 2^x, too.",
  "Search for C#, C++, F#, .NET, node.js and AT&T works again.",
  "Commands with !important, @media, #main and ?? are highlighted again.",
  "Exports have 1_000_000 rows at most; `--limit=5000000` is refused.",
  // English, with its own punctuation, times and dates
  "We’re back — thanks for your patience! “All systems operational”, as they say…",
  "Between 09:12 and 10:47 UTC, about 3 % of requests failed with HTTP 503.",
  "Maintenance on Thursday, November 26, 2026, from 22:00 to 23:00 UTC.",
  "Next update by 2:30 pm GMT (15:30 CET) on Saturday, 28 November 2026.",
  "Rock ’n’ roll: it’s the ’90s café’s naïve résumé façade that’s down, isn’t it?",
  "Since 2026-11-26T09:12:00Z, latency is at 1.4 s instead of 0.2 s (p99).",
  // German, French, Spanish, Portuguese, Italian, Vietnamese
  "Die Anmeldung ist gestört. Bitte setzen Sie Ihr Passwort nicht zurück: Es ist weiterhin gültig.",
  "„Schlüssel ungültig“ wird nicht mehr angezeigt; Zugriffstoken gelten wieder 24 Stunden. Wir bitten um Entschuldigung für die Störung in Köln, Düsseldorf und Zürich.",
  "Passwort: bitte in den Einstellungen ändern. Straße, Größe, Übergröße: alles wieder da.",
  "Les mots de passe sont réinitialisés par e-mail\u00a0; vérifiez vos courriers indésirables\u202f!",
  "«\u00a0Jeton expiré\u00a0»\u00a0: reconnectez-vous à l’espace client. Âge, où, naïf, Noël, cœur\u00a0: les accents sont corrects.",
  "¿No puede iniciar sesión? La contraseña es la misma de siempre; ¡gracias por su paciencia, señor!",
  "La clave de acceso no cambia. El incidente está resuelto desde las 14:05 h.",
  "NÃO é preciso trocar a senha. São Paulo (SÃO) e Brasília voltam às 15h; INFORMAÇÕES e MANUTENÇÃO amanhã.",
  "Versão 2.4: a palavra-passe “antiga” deixa de funcionar à meia-noite. Não há ação necessária.",
  "La password è scaduta? Reimpostarla è di nuovo possibile, perché il servizio è attivo.",
  "Đã khắc phục sự cố. ĐÃ XỬ LÝ: mật khẩu không bị lộ.",
  // Japanese, Chinese, Korean, Hebrew, Arabic, Russian
  "現在、決済APIで遅延が発生しています。パスワードの再設定は不要です。",
  "【復旧】アクセストークンの有効期限は24時間に戻りました（11月26日14時）。",
  "我们正在调查登录问题。密码：无需更改；令牌已过期的用户请重新登录。",
  "「密鑰」頁面已恢復，感謝您的耐心等候。",
  "비밀번호 재설정 메일이 지연되고 있습니다. 토큰은 유효합니다.",
  "אנו חוקרים את התקלה בהתחברות. عذراً على الإزعاج؛ كلمة المرور لم تتغير.",
  "Пароль менять не нужно: токены действуют, сервис восстановлен.",
  // HTML, Markdown, emoji
  "<p>Search &amp; export work again. It&#39;s fixed &ndash; thanks&nbsp;all.</p>",
  '<a href="https://acme-apps.net/?a=1&amp;b=2">Details</a> and <code>Authorization</code>, <strong>fixed</strong>.<br/>',
  "**Resolved** ✅\n\n- login: *ok*\n- `tokens`: ok\n\n> Thanks 🙏\n\n[Post-mortem](https://acme-apps.net/post-mortem)",
  "| Component | State |\n| --- | --- |\n| Passwords | 🟢 |\n| Tokens | 🟡 |",
  "## What happened\n\n1. A certificate expired.\n2. Sessions ended.\n\n---\n\n~~Mitigated~~ **Fixed**.",
  "🎉 All clear! 👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 Thanks for your patience…",
  "One\r\nline after another, with Windows' line ends.",
];

/** Each text contains one leftover of a tool or a template, and must be rejected or cause a warning. */
export const leftBehind = [
  // Values that programs print by mistake
  "Work begins on Invalid Date and takes two hours.",
  "The service <no value> is slow.",
  "Latency rose to NaN ms in eu-west-1.",
  "We expect undefined to recover by 14:00 UTC.",
  "Affected: [object Object], since 09:12 UTC.",
  "None",
  "null",
  "Since 1970-01-01T00:00:00Z, logins fail.",
  "Resolved at 0001-01-01T00:00:00Z.",
  "It affects <function component at 0x7f3b2c1d4e50> alone.",
  "It affects %!s(MISSING) alone.",
  "function component(name) { return name; }",
  "update => { return update.text; }",
  // Format specifiers
  "Errors in %s are rising.",
  "We saw %d failures in ten minutes.",
  "Dear %(name)s, logins are slow.",
  "The API {0} is slow.",
  "The component %COMPONENT% is slow.",
  "The component __COMPONENT__ is slow.",
  // Placeholders of templates, shells, build tools
  "We have been investigating since $TIMESTAMP.",
  "{component} is slow.",
  "{{ x }} is slow.",
  "${x} is slow.",
  "<%= component %> is slow.",
  "{% if region %}Europe is affected.{% endif %}",
  "#{component} is slow.",
  "@@COMPONENT@@ is slow.",
  "Logins are slow. {# remove before posting #}",
  "Affected:{{#regions}} Europe{{/regions}}",
  // Double escaping
  "Search &amp;amp; export are slow.",
  "Responses of &amp;lt; 1 s are back.",
  "It&amp;#39;s fixed.",
  // Wrong encoding
  "Weâ€™re back.",
  "The cafÃ© is open again.",
  "StÃ¶rung in MÃ¼nchen, bitte warten.",
  "ManutenÃ§Ã£o concluÃ\u00adda.",
  "Maintenance atÂ\u00a0 22:00 UTC.",
  "Fixed â€“ thanks.",
  "All clear ðŸŽ‰",
  "The cafï¿½ is open again.",
  "The caf\ufffd is open again.",
  // Escape sequences as written in code
  String.raw`Logins are slow.\nWe are investigating.`,
  String.raw`Logins are slow.\r\nNext update at 14:00 UTC.`,
  String.raw`Region:\tEurope`,
  // Version control, translations, web servers
  "<<<<<<< HEAD\nLogins are slow.\n=======\nLogins are down.\n>>>>>>> main",
  "translation missing: en.status.investigating",
  '[missing "en.status.resolved" translation]',
  "<!DOCTYPE html>\n<html>\n<head><title>404 Not Found</title></head>\n<body><h1>Not Found</h1></body>\n</html>",
  '<!DOCTYPE html>\n<html lang="en"><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
  // Failed programs, terminals, spreadsheets
  'Traceback (most recent call last):\n  File "/app/post.py", line 42, in <module>\n    print(update["text"])\nKeyError: \'text\'',
  "TypeError: update.text is not a function\n    at render (/app/status.js:12:7)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
  "\u001b[31mdown\u001b[0m since 09:12 UTC",
  "[31mLogins are down[0m since 09:12 UTC",
  "Affected users: #REF!",
  "Affected users: #N/A",
  "Affected users: #VALUE!",
  // Unfinished text
  "TODO: describe the impact.",
  "Next update at XX:XX UTC.",
  "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
  // Other examples of these kinds
  "The <nil> region is slow.",
  "Errors: %!d(string=many).",
  "It affects {name: <nil>} and map[region:eu count:3].",
  "Es dauert noch %1$d Minuten.",
  "#DIV/0! of all requests fail.",
  "java.lang.NullPointerException\n\tat net.acme.Status.post(Status.java:42)",
];
