/** Path under which the server serves us, ending in `/`; the server writes it into the page. */
export const basePath: string = document.querySelector<HTMLMetaElement>('meta[name="aside-base"]')?.content ?? '/';
