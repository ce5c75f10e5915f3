/** How long something still holds. Pure. */

/** "expires in 5 min", "expires in 3 h", "expires in 2 d", "has expired". */
export function untilWords(expires: number, now: number): string {
  const minutes = Math.ceil((expires - now) / 60_000);
  if (minutes <= 0) return 'has expired';
  if (minutes < 60) return `expires in ${minutes} min`;
  if (minutes < 48 * 60) return `expires in ${Math.round(minutes / 60)} h`;
  return `expires in ${Math.round(minutes / (24 * 60))} d`;
}
