'use client';
import './globals.css';

/** When even the layout failed: plain, with no script of its own to wait for. */
export default function GlobalError() {
  return (
    <html lang="fr">
      <body className="grid min-h-dvh place-items-center p-6 font-sans">
        <title>Atelier est indisponible</title>
        <main className="max-w-md text-center">
          <h1 className="font-semibold text-lg">Atelier est momentanément indisponible</h1>
          <p className="mt-2 text-ink-soft">Rien n’a été perdu ni débité. Réessayez dans un instant.</p>
          {/* A full load, on purpose: the client router may be what failed. */}
          <a
            href="/"
            className="mt-6 inline-flex h-10 items-center rounded-md bg-accent px-4 font-medium text-on-accent text-sm"
          >
            Recharger Atelier
          </a>
        </main>
      </body>
    </html>
  );
}
