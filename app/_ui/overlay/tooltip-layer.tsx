'use client';
import { type ComponentType, useEffect, useState } from 'react';

/** Place of the tooltip, once in the root layout. Its script follows the page's own: nothing is told before one points at something. */
export function TooltipLayer() {
  const [Layer, setLayer] = useState<ComponentType | null>(null);
  useEffect(() => {
    import('./tooltips.tsx').then(
      ({ default: loaded }) => setLayer(() => loaded),
      // What is said there is said elsewhere too.
      () => {},
    );
  }, []);
  return Layer ? <Layer /> : null;
}
