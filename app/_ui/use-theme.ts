'use client';
import { useSyncExternalStore } from 'react';
import { type Theme, themeFrom } from './theme.ts';

/** Each place that offers the theme changes it for all: what the document shows is what is chosen. */
const onChange = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};
const shown = () => themeFrom(document.documentElement.dataset.theme);

/** The theme that the page shows now; `drawn`, while the server draws it. */
export function useTheme(drawn: Theme): Theme {
  return useSyncExternalStore(onChange, shown, () => drawn);
}
