'use client';
import { Download } from 'lucide';
import { useEffect, useRef } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import type { ProductPullRequest } from '#lib/products/proposals/pull-request.ts';
import { saveText } from './save-text.ts';

type ReadyRequestProps = {
  request: ProductPullRequest;
  /** Called when the request or its file was downloaded. */
  onSaved: () => void;
};

/** The pull request, to copy or download. Takes the focus, because it appears below a long form. */
export function ReadyRequest({ request, onSaved }: ReadyRequestProps) {
  const { title, description, path, source, patch } = request;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const file = path.slice(path.lastIndexOf('/') + 1);
  const download = (name: string, text: string) => {
    saveText(name, text);
    onSaved();
  };
  return (
    <section aria-labelledby="demande-prete" data-ready-request>
      <h2 id="demande-prete" ref={heading} tabIndex={-1} className="font-semibold text-base">
        La demande est prête
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">
        Le registre l’accepte. Elle est écrite en anglais, comme le code qu’elle change&nbsp;: confiez-la à
        qui tient le code d’Atelier. Le produit changera une fois la demande relue et déployée.
      </p>
      <CodeBlock
        label="La demande"
        samples={[
          { label: 'Correctif', code: patch },
          { label: 'Fichier', code: source },
          { label: 'Titre', code: title },
          { label: 'Description', code: description },
        ]}
      />
      <p className="mt-2 text-ink-faint text-xs">
        Le fichier se place à <span className="wrap-anywhere font-mono">{path}</span>. Le correctif s’applique
        par <span className="font-mono">git apply</span>.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon={Download} onClick={() => download(file.replace(/\.ts$/, '.patch'), patch)}>
          Télécharger le correctif
        </Button>
        <Button icon={Download} onClick={() => download(file, source)}>
          Télécharger le fichier
        </Button>
      </div>
    </section>
  );
}
