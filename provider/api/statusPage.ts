import { z } from "zod";
import { type ListOf, listOf } from "./listPage";
import { type ProjectBindings, projectBindings } from "./projectBindings";
import { type Dated, dates, flag, objectId, type Shape, text } from "./shared";
import {
  type StatusPageIncident,
  statusPageIncident,
  type StatusPageService,
  statusPageService,
} from "./statusPageIncident";

/** A group of services on a status page. */
export interface StatusPageCard extends Dated {
  /** Identifier. */
  id: string;
  /** Public heading. */
  name: string;
  /** Services under this heading. */
  services?: StatusPageService[] | null;
}

export const statusPageCard = z.looseObject({
  id: objectId,
  name: z.string(),
  services: z.array(statusPageService).nullish(),
  ...dates,
} satisfies Shape<StatusPageCard>);

/** Colours by part of the page, for each theme. */
export interface StatusPageThemeColors {
  /** Colours of the light theme, by part of the page. */
  light?: Record<string, unknown> | null;
  /** Colours of the dark theme, by part of the page. */
  dark?: Record<string, unknown> | null;
}

/** A string by contract. Another value must not make the whole page unreadable. */
const color = z.unknown().optional();

const statusPageColors = z.looseObject({
  bodyBackgroundColor: color,
  headerBackgroundColor: color,
  headerFontColor: color,
  titleFontColor: color,
  bodyFontColor: color,
  bodyFontColorMuted: color,
  navigationFontColor: color,
  linkFontColor: color,
  cardBackgroundColor: color,
  borderColor: color,
  primaryButtonBackgroundColor: color,
  primaryButtonFontColor: color,
});

export const statusPageThemeColors = z.looseObject({
  light: statusPageColors.nullish(),
  dark: statusPageColors.nullish(),
} satisfies Shape<StatusPageThemeColors>);

/** A status page with its cards and incidents. */
export interface StatusPage extends Dated {
  /** Identifier. */
  id: string;
  /** Name. */
  name: string;
  /** Public description. */
  description?: string | null;
  /** Slug of the page, such as `acme-status`; not a URL. */
  url?: string | null;
  /** Account that owns the page. */
  accountId?: string | null;
  /** Custom host name, if any. */
  customDomain?: string | null;
  /** Address of the logo. */
  logo?: string | null;
  /** Address of the icon. */
  favicon?: string | null;
  /** Target of the link on the logo. */
  redirectTo?: string | null;
  /** Initial theme for visitors, such as `AUTO`. */
  defaultTheme?: string | null;
  /** Whether only those who are allowed to can see it. */
  isPrivate?: boolean | null;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  projectBindings?: ProjectBindings | null;
  /** Colours by theme (`light`, `dark`) and by part of the page. */
  themeColors?: StatusPageThemeColors | null;
  /** Groups of services. */
  cards?: StatusPageCard[] | null;
  /** Incidents of this page. */
  incidents?: StatusPageIncident[] | null;
}

export const statusPage = z.looseObject({
  id: objectId,
  name: z.string(),
  description: text,
  url: text,
  accountId: text,
  customDomain: text,
  logo: text,
  favicon: text,
  redirectTo: text,
  defaultTheme: text,
  isPrivate: flag,
  projectBindings: projectBindings.nullish(),
  themeColors: statusPageThemeColors.nullish(),
  cards: z.array(statusPageCard).nullish(),
  incidents: z.array(statusPageIncident).nullish(),
  ...dates,
} satisfies Shape<StatusPage>);

/** One page of the list of status pages (operation `listStatusPages`). */
export interface StatusPageList extends ListOf<StatusPage> {}

export const statusPageList = listOf(statusPage);
