type Router = { push: (address: string) => void; replace: (address: string) => void };

/** Opens a Space that was just created: in place of an address that opened the form, because « back » would open the empty form again. */
export function openCreated(router: Router, spaceId: string): void {
  const isAsked = new URLSearchParams(window.location.search).has('nouveau');
  router[isAsked ? 'replace' : 'push'](`/espaces/${spaceId}`);
}
