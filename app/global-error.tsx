'use client';
import type { CSSProperties } from 'react';

// Written on the elements: the style sheet stands in each page (`inlineCss`), and would stand there a second time for this one's sake.
const GROUND: CSSProperties = {
  ...{ colorScheme: 'light dark', display: 'grid', placeItems: 'center', minHeight: '100dvh' },
  ...{ boxSizing: 'border-box', margin: 0, padding: '1.5rem' },
  ...{ background: 'light-dark(#f7f5f1, #141311)', color: 'light-dark(#1f1c17, #f0ece4)' },
  ...{ font: '1rem/1.5 ui-sans-serif, system-ui, sans-serif' },
};
const BUTTON: CSSProperties = {
  ...{ display: 'inline-flex', alignItems: 'center', height: '2.5rem', marginTop: '1.5rem' },
  ...{ padding: '0 1rem', borderRadius: 8, textDecoration: 'none' },
  ...{ background: 'light-dark(#3d31b8, #6557e6)', color: '#ffffff' },
  ...{ fontWeight: 500, fontSize: '0.875rem' },
};

/** When even the layout failed: plain, with no script and no style sheet of its own to wait for. */
export default function GlobalError() {
  return (
    <html lang="fr">
      <body style={GROUND}>
        <title>Atelier est indisponible</title>
        <main style={{ maxWidth: '28rem', textAlign: 'center' }}>
          <h1 style={{ margin: 0, fontWeight: 600, fontSize: '1.25rem' }}>
            Atelier est momentanément indisponible
          </h1>
          <p style={{ margin: '0.5rem 0 0', color: 'light-dark(#57514a, #bab3a7)' }}>
            Rien n’a été perdu ni débité. Réessayez dans un instant.
          </p>
          {/* A full load, on purpose: the client router may be what failed. */}
          <a href="/" style={BUTTON}>
            Recharger Atelier
          </a>
        </main>
      </body>
    </html>
  );
}
