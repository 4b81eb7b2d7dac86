export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'theme';

/** Reads the cookie's value; anything else than a known theme follows the system. */
export function themeFrom(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}
