/**
 * Texts for the judge of what becomes public, written without a look at its code: with a credential each, in good faith, and with what
 * tools and templates leave behind. All values are made up (AKIAIOSFODNN7EXAMPLE and its secret are AWS's own example): drawn at random,
 * with the length and the alphabet of the vendor's form as far as it is known. Hosts aren't example.com: that would be a placeholder.
 */

/** Each has a credential, and must be refused or warned of. */
export const credentials = [
  // Addresses with a user and a password:
  // PostgreSQL
  "Reports read from postgresql://reporting:zKq¦vAqQQXEdiQXxQ@replica-2.acme-db.net:5432/reports?sslmode=require until 18:00 UTC.",
  // Redis with a password alone
  "Sessions moved to `rediss://:0GT¦4pfNNbKM89vqJI9DkPEmB0KPF0Ex8@cache-eu.acme-data.net:6380/0`; please log in again.",
  // HTTPS, with a percent-encoded password
  "Mirror: https://mirror:Kx%40kphUTmQB%21@downloads.acme-apps.net/releases/",
  // SMTP
  "Relay mail by smtps://relay@acme-apps.net:gpc¦robvecbifwopa@smtp.acme-mail.net:465 until we are done.",
  // JDBC, the password in the query
  "Use jdbc:mysql://db-2.acme-data.net:3306/shop?user=readonly&password=XAvohkMWHL5THA&useSSL=true in BI tools.",
  // connection strings with a password among the pairs
  "Temporary string: `Server=tcp:acme-sql.database.windows.net,1433;Database=shop;User ID=bi;Password=Fnf6I2zGO!5Kb0Cx;Encrypt=true;`",
  'Connect with psql "host=db-2.acme-data.net user=bi password=L4s¦UbOmjlQWQfP2B dbname=shop" to the replica.',

  // Keys with a vendor's prefix. Each form of the table of vendors: test/credentials/vendors.test.ts.
  // Pulumi
  "Deployments fail with 401 for pul¦-971¦e899d956a88e80b05f90f2b085618d1f56147; we are investigating.",
  // Checkly: a user's key, a service's key
  "Runs that use `cu_15fd052f397215701a36922a29dc51ba` were rejected between 09:10 and 09:40 UTC.",
  "Our CI account (sv_154ba905b2ae6e72f71963caaeea9c8b) is rate limited; checks run late.",
  // GitHub
  "Builds that cloned with ghp¦_mkRKjXKVdsLOivRZpOj0dEZaIr9umPs9CyW6 failed and were started again.",
  // GitLab, routable
  "Pipelines use `glp¦at-8_KajzIdO6Z2JL2KRyNVGXGk7Gr.01.zq9he9tij` now.",
  // Slack
  "Slack alerts of xox¦b-854¦834804513-663¦8466124403-jxB¦bPachCLZaOzzHNYQkLJzk are delayed.",
  // Stripe
  "Payments by 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 succeed again.",
  // AWS: id of an access key, and its secret by name
  "Uploads signed by AKI¦AZNI7JGL5HBFOGYOD are rejected; we are working on it.",
  "```\nAW¦S_SECRET_ACCESS_KEY=MQHczftC0SuIlX+hDJ¦yOeSL0npf9DQITd6HEkV3G\nAWS_REGION=eu-central-1\n```\nworks for the transfer until 17:00 UTC.",
  // Google
  "Maps load again with AIz¦aSylBSDdgpkFZxh2VGTaJ-SJux0hUF5861KS.",
  // Postmark by name
  "POS¦TMARK_SERVER_TOKEN=25a¦9b78b-132¦c-405¦5-8f9¦2-51ecd0c7a7b5 was wrong in two regions; this is fixed.",
  // npm
  "Publishing failed with E403 for npm¦_INrMFAHiBrAORPivkRAYYzzs2seg0W2lLNh9.",
  // Heroku and Netlify by name
  "export HEROKU_API_KEY=f8a¦f2b97-593¦8-42e¦6-881¦4-b949bcf0a6a3 and deploy again.",
  "NET¦LIFY_AUTH_TOKEN: CMB¦rCxow4ynV7MlEd5K5x7_40derkPkprWETlyVX4fS must be set for previews.",
  // Vault's old form by name
  "VAULT_TOKEN=s.k3K¦LCh6ReONY2X0yCZOxMIeI is valid until the restore ends.",
  // Twilio by names
  "TWI¦LIO_AUTH_TOKEN=ad6¦9e58c12311605f3422a9d152546a2 was deployed with a typo; text messages are sent again.",
  "twi¦lio_api_secret: Ex1¦z26610v3ydKYvT9ssHoZMwOf34l3y replaces the one in the guide.",
  // Datadog by name
  "Agents with DD_API_KEY=538¦81c09af26a56012e86569505acd1b report again.",
  // Discord's bot, LaunchDarkly by name
  "The bot logs in as Njk¦1NzQ0NzA5NzgxMTk5MjE2.UBHnYf.vEY¦vQQjHT_SIAnH1ClFC8nQhaGmrTY6ntyEMz5 again.",
  "LAU¦NCHDARKLY_SDK_KEY=sdk¦-02c¦ec166-74b¦4-492¦b-b16¦b-f0dd921b54eb is served from the cache.",

  // Headers:
  // Bearer, also in curl, in a fence
  "Call it with `Authorization: Bearer Vxe¦7mDg3H8ovvTr1LmT7L1uplZFV_kqxxFEmA4O2oNn` until the gateway is fixed.",
  "```sh\ncurl -H 'Authorization: Bearer eRj¦5nPZM8pTUl5NgTtdzBwJegPkx3aibxSWw1kwz' https://api.acme-apps.net/v2/orders\n```\nanswers again.",
  // Basic, and of a proxy
  "The old endpoint accepts Authorization: Basic c3R¦hdHVzOnp4bGhDc3EwRERua2pLeko= for one more week.",
  "Pro¦xy-Authorization: Basic ZWd¦yZXNzOnFJV1ZoaTV5bm4xVEVm is needed in eu-west-3.",
  // Token, Okta's SSWS, Opsgenie's GenieKey
  "Authorization: Token token=u+aHn¦NRE9djKfaWd0EKX works for the on-call API.",
  "Users sync with `Authorization: SSWS 00c¦8KzmYaghz4FKQujMulSzC_pXedmqetzmDrblDoj`.",
  "Alerts: Authorization: GenieKey 7fa¦d6bf7-8a7¦8-4b9¦2-981¦e-5e7e499a9c8a",
  // headers named after a key or a token
  "Add `X-Api-Key: mCW¦zzbvua8BVER95j391tp5lfmVtISew` to avoid the queue.",
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

  // Names beside values:
  // password=, one that a person chose
  "Set password=Win¦ter-Checkout-2026! and start the client again.",
  // passwords under other names
  "`db_passwd: GJo¦y746g3PY58LEU` goes into the helm values.",
  "pwd=w4QHieM8qDgv",
  "psw: QjIAUPch017E für den Testzugang.",
  '"passphrase": "lna¦ffskl-xzf¦yys-3744-liumxoo"',
  "senha=EnLiUR9tiSsB para o ambiente de testes.",
  "clave: y5rLX5MEQ1A5 hasta las 18:00.",
  "mot_de_passe=qOdO4c7CEkzV jusqu’à 18 h.",
  // JSON: a client's secret, an API key
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
  // .npmrc, Rails, Laravel, a wallet, WireGuard, a Kubernetes Secret
  "//npm.acme-apps.net/:_authToken=g2c¦ztrZ8mICLIFRzcUa79c49PU0UIP7K reads packages today.",
  "RAI¦LS_MASTER_KEY=4fa¦b5f5558db29f6e753f1765052d631 was missing in the new image.",
  "APP_KEY=base64:jso¦kam1FUvRzetG5QnaUo8nwxKCK15vb1e62zAFucWg= was rolled out to all workers.",
  "private_key: 0xa¦b7d8d696618cd00e7df5a6a7c6437ca47342909707e6a7b926b3b7bd0ce5734",
  "[Interface]\nPrivateKey = 7JS¦wcPAvhnE9s5Y1sR9aWiw59RTFUf4aSBpQqOHof68=\nAddress = 198.51.100.7/32",
  "```yaml\nkind: Secret\nmetadata:\n  name: smtp\ndata:\n  password: SFZ¦PbTdqN2pNRDVidmhkVHZV\n```",
  // sentences that tell a password
  "The password is K3mUgtIwYjQi until Friday.",
  "Guest Wi-Fi works again, the password is Har¦bour-Lights-48.",
  "Log in as demo with the password “51JC6XuveU”.",
  "Username: partner / Password: zRtre5vhWhTZ",
  "| user | password |\n| --- | --- |\n| demo | t9qGOyJ9ILE6iH |",
  // sentences that tell a token, a key
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
  "If you are locked out, open https://app.acme-apps.net/reset-password?token=40e¦7acdc963b91e222ad40e70a2762ea7050cb5be771d134360579bb60536080.",
  "Sign in by https://app.acme-apps.net/callback#id=7&access_token=3XV¦hieaZP26JZvPC-EgZ¦SDe1NEXXf7n39xxybToWzVh&token_type=bearer",
  "otpauth://totp/Acme:status?secret=WSL¦NVILSOWLKBFI4OMO77CV33A666IEN&issuer=Acme",

  // Signed addresses:
  // Azure Storage
  "CSV: https://acmeexports.blob.core.windows.net/public/november.csv?sv=2024-11-04&st=2026-11-26T00%3A00%3A00Z&se=2026-12-03T00%3A00%3A00Z&sr=b&sp=r&sig=MZl¦2iLx6W3wU7LlsrlPLRp43RV6iX9GMq372ChqB1MM%3D",
  // CloudFront
  "Video: https://d2acme7x9k1q3z.cloudfront.net/townhall.mp4?Expires=1795689600&Signature=of6¦zGHmZ9joHo09atfI8-Hy5¦gM4FENYgF9QLxo7OOvuOBruynfAAhkOkqQw-IUv¦qFBAAcUBDnX7RO7eD33fBdc~hSW¦J35rwCwAmO8BRk8J-WL7¦NjzY6kN7SdRa46iOnSXMgVom8sSBQjoeUx5I9bW8q66yIuPnJnbVKSP9WtFQq5qTW~39xKiYd~hlH¦Io7c0HRuLWuelIKaMxrdzzH5Ppq3Uynx-rIn¦wQIzSAjfDTvhM0JaITezsv2Jw0lf57YyaRX1iTnMdF8zPAi4b4iQ17SmK1xPOi9HowSA95yCKcB9tE2I0wqdkqLrn7Sb7433B3d9aeG2fyFILsCphVSH6__&Key-Pair-Id=KRWV3ZQ62I2DTF",

  // Hooks. Each form of the table of vendors: test/credentials/vendors.test.ts.
  // Slack
  "Post test alerts to https://hooks.slack.com/services/T0RKM7KK3PC/B0534M994RN/Fv9¦NPMiPrfG7HC3VXgd5XuyJ.",
  // Teams
  "https://acme.webhook.office.com/webhookb2/703¦07f4d-bcd¦e-430¦2-8ef¦e-5a83a5ac7852@26f¦abc46-728¦6-4ba¦2-8de¦0-ae1418b487d5/IncomingWebhook/043¦622255a3aa63e4f6afc3b51d96d1d/9ca¦bbe92-f5d¦c-4c1¦f-8f2¦5-ffcd27ac4309 is retired.",
  // Mattermost, Rocket.Chat, Webex
  "https://chat.acme-apps.net/hooks/phe¦si81webg9oshq1hlf9nsxwz is rate limited.",
  "https://rocket.acme-apps.net/hooks/5VM¦KgLLdEceLh5ZJ7/quv¦v9GNVpDvUUI6b8oFyJ9pWxRuEJvrmvpLPgwNznUzYhmvFmKsd4TwX5DFblxPU",
  "https://webexapis.com/v1/webhooks/incoming/Y2l¦zY29zcGFyazovL3VzL1dFQkhPT0svVEufOU80eyVqAaP3BAutNbIzKCGAk2SLm5Kvu1bxGleHqZ54",

  // Private keys, signed tokens:
  // RSA
  "-----BEGIN RSA PRIVATE¦ KEY-----\nMI¦ICXAIBAAKBgQ9ketFyiBaUDnIVGnoa9DLY3PxTK8V/Bhv¦mLwNH6t8hCPz7KT91\nVD¦I0Vs4j5aLkMXPLsHeWx3CqNFqhisPAWEQhxAlC137hR5MUoUekTkTN85u/V6fe\n2z¦ubf0oO59mMyfg4E7+fEU¦gL00zoPqDKyGl8v2UVtRIllCIo0MUZiKFGXG4xs3u/\ny+S0tMNAEA/W3Y¦rQQ1MJjX9q7wE1abraz48aq4YBzhh5jp8K5CoR6PyMWbfIgEHz\nkB¦J9UTwDtUz7zI1lQTWqU4F2293JBNMJSWfnL5FVP18E5bBZqswxWOR+HtkYQ0oQ\nRO¦VOM8683n9bVqfct6PknmxMy18pHFW6f+TjScobt0ojC13Eo+QTQbVLzhnI0blK\nv9htxQq/0A4¦QmV5p0rEDye4ZtS6Dxyc2SMh/Oj9¦mnH3Ax7CdWt1ZfbZXYMe//hWO\nAP¦9NvIrM7zbvROe2iJtE5FkHrgF+Dl5f+TlnCvTpyvKAsiP/5JI¦BljKvE5FMShz5\nMJBiMvWOz+IpMYL+a8b¦EvvOmZb1dNTf8kj6WDK7MJbS+/RdL¦1A1agibbC1dUEllf\nh9¦siwjCjOZ3v63Kv/EOfBRf/E2R¦XhPAActsdUExFraN95bYu81Cm5X8rpiVrvBIB\nRi¦bCFnUSbJo1x1xHbcxA6i/Dq+77P¦Zl3mag3ZQItZZyNKMx41l/iMp3R2IXlZhXk\ncX¦Qp5O1tBIbAMkdps66I9QPGoekIuCs/9sw¦stGoJtpC7lFe6ybWJClwWNG72nsH7\n1Bonqnmyi6Sp/uclo++ckN4nu+GMI¦njyVNuB0mALA8Y=\n-----END RSA PRIVATE¦ KEY-----",
  // PuTTY
  "PuT¦TY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: deploy@acme\nPublic-Lines: 2\nAA¦AAC3NzaC1lZDI1NTE5AAAAIQaSc4ZZUCMH95XJd694kGUM0tn5iRiNvSAA1+Xj\nXKWP\nPrivate-Lines: 1\nLc¦h3NJOwZnQ3WLAc4WIEz8wcH2FXwi/eYn¦l7HqtT8yv7hlCy\nPrivate-MAC: d0b¦9efc16974d63b8cc3238a8ff06123a22ab99609f7832f75e4a50782e46b8d",
  // a service account of Google, the line ends escaped
  String.raw`{"type": "service_account", "project_id": "acme-prod", "private_key_id": "f61¦4b53fe099526984bb089fda8913769a5070e2", "private_key": "-----BEGIN PRIVATE¦ KEY-----\nMI¦ICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBdLLl22eL9IH9rj1m\npz¦QU28tvP8AuVmuXpDlHeh9AbNyQ8Ijil4pUq6B0BtEXhEqFo20ZEG5Te95ScKjc\nR4¦HiqfGrHdltv3KErZgFWWzX0zIrC2iG0tFIhui7meJNHCpJOVr8gwf2GFtg3al+\nsBZ/cad¦owitShYo9CZNLoj/uDPBlC8dx6+2Cc+H8G¦5cW8Iddp9apQMMf9b3tCjRX\nmZvo7uO59/WFw¦tRpClC3YorQFjkCjlo6Gtv4iuRHM6lKfwZqEA7OVfpia0URbUqZ\nb9Lgebq0PSi1FR+qbP¦b8xj66EA3t1PHZQmRkSsWFA4h1XH9kURYW+MZXnKlIeZ5O\nCW/Bwg¦t55KYBw18qzgxNFiPjqTjgfAQDFGCsKsFbuXQ7xiPHhdStUivZDpDCKAib\nn2¦ByFL64hDUY6dGDDAAGsQpkB7F+f38¦1dVsvM7cjwdwL6q9sKTyhCF1JJzgl8l0H\nzj¦YygJMooqiWqH58VhVtKEcZEk4mTsf2T4fvt4jjBCe47oQhBOJGnCyvIV77I3Xj\nRL¦N0ujtnzKDRMq8+hIQ¦mmFqBjmAv8peFV4d04DfuY+GG5wTXOBGuNjiEt/difuQP\nB+t0n¦J3mLfnLZpZtzeXnBIC+6Zgf6T/L9BVzkMEGYxOqG/iiX¦HVLkXp46Rnoe9Fx\nK0¦vRK7tHPHKHWLvZY6gqi3RjvPN5GydvtjXwi8/LLI¦4READQr1edzS0rCnmn7AXx\n9F¦TzDh4DzUfLE1qWY0RK1Lvyr5lh9v4yqZQhA+HJb¦4382Xja70dNyj2RPDiS3PvA\n6npKWk8nU2VITQ==\n-----END PRIVATE¦ KEY-----\n"}`,
  // JSON Web Token
  "Sessions such as eyJ¦hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ¦zdWIiOiI4MjcxMDE1MiIsIm5hbWUiOiJTdGF0dXMiLCJpYXQiOjE3OTU2ODAwMDAsImV4cCI6MTc5NTY4MzYwMH0.5Dq¦_4gfcSjpO3zjz6KsQ08Q_bZpvcswcW5JPYfqxU6A ended early.",
];

/** Written in good faith: nothing may be said about them. */
export const goodTexts = [
  // About credentials, as an update tells of them
  "Password resets are delayed by up to ten minutes.",
  "The password is case-sensitive again.",
  "Password: 12 to 64 characters, as before.",
  // Forms of credentials that are only named
  "Tokens that begin with ghp_ are revoked.",
  "The scanner finds Pulumi's `pul-`, Checkly's `cu_` and `sv_`, and Slack's xoxb- now.",
  "Signed links (`?X-Amz-Expires=3600&X-Amz-Signature=…`) expire after an hour again.",
  "Hooks of the form `https://hooks.slack.com/services/T…/B…/…` are called again.",
  "User names and passwords in URLs (`https://user:pass@host/`) are stripped before logging.",
  // Placeholders, and examples of documentation
  "Send `Authorization: Bearer <token>` as before.",
  "The example `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY` in the guide is the documentation's own.",
  "Strings such as `mongodb+srv://<user>:<password>@cluster0.example.mongodb.net` are accepted again.",
  "Set `_authToken=${NPM_TOKEN}` in your `.npmrc`; npm expands it.",
  "Call `https://api.acme-apps.net/v1/status?api_key=<your-key>` to see the state of your shard.",
  "GitHub's tokens look like `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, GitLab's like `glpat-xxxxxxxxxxxxxxxxxxxx`.",
  '```json\n{ "apiKey": "…", "password": "***" }\n```\nis accepted again.',
  // Names of settings, masked values, messages
  'Clients see "invalid_grant: token has been revoked" and have to log in again.',
  "Keys in `~/.ssh/config.local` and `~/.ssh/id_ed25519` are read again.",
  // Public ids: requests, traces, commits, digests, orders
  "Requests with `traceparent: 00-4273e805e20e08f381d429672c769d2c-5cd9035506fa1c23-01` were sampled twice.",
  "Fixed in 1d6f055fa75652361e8bff06bad97b7ccb0ac51a, released as 4.18.2.",
  "We reverted 446a4c5 and 80737e6f29.",
  "Amazon answered `503 SlowDown` (request id LO4IIS05NQ9YKKNQ, host id 4E7B6hVmkzEdmsx5lI5nE5kakNqGOIF+gIZGSOqZ5ed983yS1paJcVDZURX/WF/dIF/Z3iPpKSc=).",
  "Charges ch_3FEBfdOUWqXcGJjokgYq0KpW and events evt_1LpGeWwTcOgC5yVBODkyLtNe are shown again.",
  "The volume vol-0a1b2c3d4e5f60718 of i-0f9e8d7c6b5a43210 was detached from ami-0d7e6f5a4b3c2d1e0.",
  "Idempotency keys such as db2f9d37-b7b1-4a5e-ab20-8c0d67a77ad7 are honoured again.",
  // Public keys, fingerprints, keys that are public by design
  "Our new deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIRYXriUvmsLFdNrNds0XwI/3NFCohcf9CWdneGnmGCl/ deploy@acme-apps.net",
  "```\ngit.acme-apps.net ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC6cf1W5NcgHwZrg0RPbIR/gi6zmHO35Fs4wPXUGb751gwhkr8MxbN7fN0BAJaN2JAXSXAtGhknvlGFAAfGtLB/ArjnXcv7c2LQxCvaMo93kX4D4IK1cp0o31QXSYe5lT3BZLTNc7ejii1kCZExdx1TGhLRtFGPxHiQ3n/YVamcXbgf1B/m1bAb4/R9uRHpOQz2SRiAFo5cDDVpHDOWKKPlwnmxRFFADxibPuS3GaYIt/GtaHbHlwPZMKY3GYh0w1US3TbE+MRkQ1jsgprR4Y9EOBrY3JvF03PoB63nvWSyWo2+TO9bpMXKBZkH3in0SvdQCHCVn8MbpEelwfLjrAo4CT\n```\nis the host key; add it to your known_hosts.",
  "[Peer]\nPublicKey = lrEyN5V8g5nYl/88zhYoCwzFZh0KzX+zO1si5KIXRXU=\nEndpoint = vpn.acme-apps.net:51820",
  "Binaries are signed; the public key is RW7mXHqPuUp+FDQrvwWj8LYuuhICotocaAgV4zpvFxPoPcZib4DtzVFG.",
  "```\n-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY2SXdfNhzt10ZYIKuOB24zitN7Hd\nQQ62VGzy7EbLUAEmRrcKAkj6dew00MPxqGCvYacteUcSPmH+rjXDsLihsw==\n-----END PUBLIC KEY-----\n```\nverifies our webhooks from now on.",
  "Browsers report to https://46e5b4b02c1ee0d280cc25b12fba5200@o417.ingest.de.sentry.io/4506 again.",
  "Checkout loads `pk_live_516qcCSNLg1xKNeHkkWBys5sOnJYJLQd6FqdvJDDBuGr8h5Qo8Vnir7EszAUtZvcFlTpn4p2quX97Sv8c2fK0oPhTVNuee1laT0`, Stripe's publishable key, again.",
  // Links that are meant for everybody
  "Join us at https://join.slack.com/t/acme-community/shared_invite/zt-24wb3gfj4-5uH9LHdkS-PLuJfUKi4900 for questions.",
  "Questions? https://discord.gg/hTKzmak9Qe",
  "Watch the recording: https://youtu.be/kX3vT9qLm2Y or https://www.youtube.com/watch?v=a1B2c3D4e5F&t=417s",
  "The timeline is at https://docs.google.com/document/d/1e8gPjJGoNYhc7tlf_mK03_GKNfUCFk4D_TrWVj7gdrZ/edit?usp=sharing.",
  "Maintenance calendar: https://calendar.google.com/calendar/ical/c_4f7a1b2c3d%40group.calendar.google.com/public/basic.ics",
  "Affected ids are listed in https://gist.github.com/acme/053c12ea82bffe6dc3ee975d5d960af7.",
  "Use the code WELCOME10, or https://shop.acme-apps.net/?code=WELCOME10, as an apology.",
  "Links such as https://app.acme-apps.net/search?key=value&sort=asc are counted once again.",
  "You land on https://app.acme-apps.net/login?token=expired&session=42; sign in again.",
  "Clone from ssh://git@git.acme-apps.net/acme/app.git or git@git.acme-apps.net:acme/app.git.",
  // Code and products
  "The {id} in `/users/{id}` may have a dot again.",
  "The page showed `undefined`, `NaN` and `[object Object]`; it shows names again.",
  "`null` in the column `deleted_at` is exported as an empty cell again.",
  "`TODO` comments are shown in reviews again.",
  "Merges with `<<<<<<< HEAD` in a file are refused.",
  "The editor shows `&amp;amp;` and `â€™` as they are, for whoever needs them.",
  "`#REF!` and `#N/A` in imported sheets are kept.",
  "Plans cost $5 again, not $50; the 100% discount of R&D accounts is back.",
  String.raw`The agent writes to C:\network\reports\today.txt again.`,
  "Users of OAuth2ToSAML2BridgeEu, isS3InDbAtIo and KeyRotationV2Beta3 sign in again.",
  // English, with its own punctuation, times and dates
  "We’re back — thanks for your patience! “All systems operational”, as they say…",
  // German, French, Spanish, Portuguese, Italian, Vietnamese
  "Die Anmeldung ist gestört. Bitte setzen Sie Ihr Passwort nicht zurück: Es ist weiterhin gültig.",
  "Les mots de passe sont réinitialisés par e-mail\u00a0; vérifiez vos courriers indésirables\u202f!",
  "¿No puede iniciar sesión? La contraseña es la misma de siempre; ¡gracias por su paciencia, señor!",
  "NÃO é preciso trocar a senha. São Paulo (SÃO) e Brasília voltam às 15h; INFORMAÇÕES e MANUTENÇÃO amanhã.",
  "La password è scaduta? Reimpostarla è di nuovo possibile, perché il servizio è attivo.",
  "Đã khắc phục sự cố. ĐÃ XỬ LÝ: mật khẩu không bị lộ.",
  // Japanese, Chinese, Korean, Hebrew, Arabic, Russian
  "現在、決済APIで遅延が発生しています。パスワードの再設定は不要です。",
  "我们正在调查登录问题。密码：无需更改；令牌已过期的用户请重新登录。",
  "비밀번호 재설정 메일이 지연되고 있습니다. 토큰은 유효합니다.",
  "אנו חוקרים את התקלה בהתחברות. عذراً على الإزعاج؛ كلمة المرور لم تتغير.",
  "Пароль менять не нужно: токены действуют, сервис восстановлен.",
  // HTML, Markdown, emoji
  "<p>Search &amp; export work again. It&#39;s fixed &ndash; thanks&nbsp;all.</p>",
  "**Resolved** ✅\n\n- login: *ok*\n- `tokens`: ok\n\n> Thanks 🙏\n\n[Post-mortem](https://acme-apps.net/post-mortem)",
  "| Component | State |\n| --- | --- |\n| Passwords | 🟢 |\n| Tokens | 🟡 |",
  "One\r\nline after another, with Windows' line ends.",
];

/** Each has one thing that a tool or a template left, and must be refused or warned of. */
export const leftBehind = [
  // Values that programs print
  "Work begins on Invalid Date and takes two hours.",
  "The service <no value> is slow.",
  "We expect undefined to recover by 14:00 UTC.",
  "None",
  "Since 1970-01-01T00:00:00Z, logins fail.",
  "Resolved at 0001-01-01T00:00:00Z.",
  // Marks of formats
  "Dear %(name)s, logins are slow.",
  "The API {0} is slow.",
  "The component %COMPONENT% is slow.",
  "The component __COMPONENT__ is slow.",
  // Marks of templates, shells, build tools
  "We have been investigating since $TIMESTAMP.",
  "{component} is slow.",
  "@@COMPONENT@@ is slow.",
  // Escaped twice
  "Search &amp;amp; export are slow.",
  "It&amp;#39;s fixed.",
  // Read in the wrong encoding
  "The cafÃ© is open again.",
  "Maintenance atÂ\u00a0 22:00 UTC.",
  "All clear ðŸŽ‰",
  "The cafï¿½ is open again.",
  "The caf\ufffd is open again.",
  // Escapes, as they are written in code
  String.raw`Region:\tEurope`,
  // Of version control, translations, web servers
  "translation missing: en.status.investigating",
  '[missing "en.status.resolved" translation]',
  // Of programs that failed, terminals, spreadsheets
  'Traceback (most recent call last):\n  File "/app/post.py", line 42, in <module>\n    print(update["text"])\nKeyError: \'text\'',
  "Affected users: #REF!",
  "Affected users: #N/A",
  "Affected users: #VALUE!",
  // Not yet written
  "Next update at XX:XX UTC.",
  "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
  // Others of the same kinds
  "The <nil> region is slow.",
  "Errors: %!d(string=many).",
  "#DIV/0! of all requests fail.",
];
