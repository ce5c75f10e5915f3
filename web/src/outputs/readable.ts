/** A colour that was chosen for some other ground keeps its hue, and is as light or dark as this ground needs. */
export function readable(chosen: string): string {
  return `light-dark(oklch(from ${chosen} min(l, 0.5) c h), oklch(from ${chosen} max(l, 0.74) c h))`;
}
