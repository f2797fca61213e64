/** Whether the services exist whose incidents are asked for. */
import type { StatusPage, StatusPageService } from "../api";
import { didYouMean } from "../texts/didYouMean";
import { oneLine } from "../texts/printable";
import { NoMatchError } from "./match";

/**
 * Not checked where a page comes without the services of its cards, because any service may be on it.
 *
 * @param wanted Ids or names.
 * @throws NoMatchError when a service is on none of these pages: no incident could ever affect it.
 */
export function assertServicesExist(wanted: readonly string[], pages: readonly StatusPage[]): void {
  const ofPages = pages.map(servicesOf);
  if (!ofPages.every((services) => services !== undefined)) return;
  const services = ofPages.flat();
  const missing = wanted.filter((one) => !services.some(({ id, name }) => one === id || one === name));
  if (missing.length === 0) return;
  const quoted = missing.map((one) => `"${one}"`).join(", ");
  // Several pages may show services of one name.
  const names = [...new Set(services.map(({ name }) => oneLine(name)))];
  const near = missing.map((one) => didYouMean(one, names)).find((each) => each !== "");
  throw new NoMatchError(`getOpenIncidents with services ${quoted}`, names, near);
}

/** The services of the cards and the incidents; undefined when the page comes without those of its cards. */
function servicesOf({ cards, incidents }: StatusPage): StatusPageService[] | undefined {
  const onCards = cards?.map(({ services }) => services);
  if (!onCards?.every((services) => services != null)) return undefined;
  return [...onCards.flat(), ...(incidents ?? []).flatMap(({ services }) => services ?? [])];
}
