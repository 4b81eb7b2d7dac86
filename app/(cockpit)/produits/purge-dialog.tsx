'use client';
import { Trash2 } from 'lucide';
import { useState } from 'react';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Facts } from '#app/_ui/data/card.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { bytes, count, number } from '#app/_ui/format.ts';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { PurgeStop } from '#lib/storage/deletion/purge-product.ts';
import type { PurgeReport } from '#lib/storage/deletion/purge-steps.ts';
import { purgeProduct } from './actions.ts';

const STOPPED: Record<PurgeStop | 'CopyRefused', string> = {
  time: 'le temps prévu est écoulé',
  running: 'des générations de ce produit ne sont pas terminées',
  CopyRefused:
    'le magasin de fichiers est celui d’un service à une autre adresse, ce que l’exploitant de ce service peut régler',
};

const stopReason = (error: string | null) =>
  error === 'time' || error === 'running' || error === 'CopyRefused'
    ? STOPPED[error]
    : 'le magasin de fichiers a répondu par une erreur';

/** What remains of the product’s files after a complete purge, in French. */
const left = (keptConsents = 0) =>
  keptConsents === 0
    ? 'plus aucun fichier de ce produit'
    : `il ne reste de ce produit que ${count(keptConsents, 'consentement signé', 'consentements signés')}`;

/** Purges a product: asks for its identifier, then shows the report. While the purge is incomplete, it can be continued from there. */
export function PurgeDialog({ productId, files, size }: { productId: string; files: number; size: number }) {
  const [open, setOpen] = useState(false);
  const [report, setReport] = useState<PurgeReport | null>(null);
  const refresh = useRefresh();
  const change = (next: boolean) => {
    setOpen(next);
    if (!next && report) {
      setReport(null);
      refresh();
    }
  };
  return (
    <>
      <Button
        ref={focusBeside}
        size="sm"
        icon={Trash2}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
      >
        Purger<span className="sr-only"> {productId}</span>
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        title={report ? `Purger ${productId}` : `Purger ${productId}\u00a0?`}
        description={
          report ? undefined : `${count(files, 'fichier')}, ${bytes(size)}. La suppression est définitive.`
        }
      >
        <Form action={purgeProduct} announce={false} onDone={({ data }) => setReport(data ?? null)}>
          <input type="hidden" name="productId" value={productId} />
          {report ? (
            <>
              <input type="hidden" name="typed" value={productId} />
              <Report report={report} />
              <div className="mt-5 flex justify-end gap-2">
                {report.complete ? null : <SubmitButton variant="danger">Reprendre la purge</SubmitButton>}
                <Button onClick={() => change(false)}>Fermer</Button>
              </div>
            </>
          ) : (
            <>
              <p>
                Les fichiers, avatars, envois et rushs de ce produit seront supprimés, même approuvés. Les
                lignes du journal, leurs coûts, le relevé et les consentements signés restent.
              </p>
              <Field label={`Pour confirmer, tapez ${productId}`} name="typed" className="mt-4" required>
                <Input mono autoComplete="off" autoCapitalize="off" spellCheck={false} />
              </Field>
              <div className="mt-5 flex justify-end gap-2">
                <Button onClick={() => change(false)}>Annuler</Button>
                <SubmitButton variant="danger">Supprimer définitivement</SubmitButton>
              </div>
            </>
          )}
        </Form>
      </Dialog>
    </>
  );
}

function Report({ report }: { report: PurgeReport }) {
  return (
    <>
      {/* An alert: a status that is added together with its text is not always announced. */}
      <Notice tone={report.complete ? 'ok' : 'warn'} role="alert">
        {report.complete
          ? `La purge est complète\u00a0: ${left(report.keptConsents)}.`
          : `La purge n’est pas complète\u00a0: ${stopReason(report.error)}. Ce qui est supprimé le reste\u00a0; reprenez-la pour la suite.`}
      </Notice>
      <Facts
        className="mt-3"
        items={[
          { label: 'Dossier', value: <span className="font-mono">{report.prefix}</span> },
          {
            label: 'Objets supprimés',
            value: `${number(report.removedObjects)} (${bytes(report.removedBytes)})`,
          },
          { label: 'Fichiers du Studio', value: number(report.deletedAssets) },
          { label: 'Avatars', value: number(report.deletedAvatars) },
          { label: 'Références envoyées', value: number(report.deletedReferences) },
          ...(report.hiddenReferences
            ? [{ label: 'Références masquées, à supprimer encore', value: number(report.hiddenReferences) }]
            : []),
          { label: 'Rushs', value: number(report.clearedCaptures) },
          { label: 'Lignes du journal vidées de leurs fichiers', value: number(report.clearedGenerations) },
        ]}
      />
    </>
  );
}
