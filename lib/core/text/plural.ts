/** The French word that agrees with a count, singular below two: `${minutes} ${plural(minutes, 'minute')}` says « 0 minute », « 1 minute », « 2 minutes ». */
export function plural(count: number, one: string, many = `${one}s`): string {
  return Math.abs(count) < 2 ? one : many;
}
