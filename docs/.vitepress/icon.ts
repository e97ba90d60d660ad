const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#3e63dd" stroke-width="2" stroke-linecap="round">' +
  '<path d="M4 15V8M4 8c0-4 8-2 8-7M4 8V1"/></svg>';

/** A path that forks; in the page itself, since a browser would else ask for a file that is not there. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(DRAWING)}`;
