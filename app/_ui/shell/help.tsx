// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
'use client';
import { useState } from 'react';
import { Switch } from '../form/choice.tsx';
import Panel from '../overlay/panel.tsx';
import { areSingleKeysOn, setSingleKeys } from '../single-keys.ts';
import { Kbd } from '../text/kbd.tsx';
import { navFor } from './nav/nav.ts';

const EVERYWHERE = [
  { keys: 'Mod K', label: 'Chercher ou agir' },
  { keys: '/', label: 'Aller au champ de recherche de la page' },
  { keys: '?', label: 'Afficher ces raccourcis' },
  { keys: 'Échap', label: 'Fermer ce qui est ouvert' },
  { keys: 'F6', label: 'Aller au dernier message affiché' },
];

const SPACE = [
  { keys: '↑ ↓', label: 'Mémoire du dessus, du dessous' },
  { keys: '← →', label: 'Pilier d’à côté' },
  { keys: 'Entrée', label: 'Ouvrir' },
  { keys: 'J', label: 'Ouvrir la suivante' },
  { keys: 'K', label: 'Ouvrir la précédente' },
  { keys: 'D', label: 'Choisir sa place' },
  { keys: 'Maj →', label: 'Ranger sous celle du dessus' },
  { keys: 'Maj ←', label: 'Remonter d’un niveau' },
  { keys: 'Suppr', label: 'Supprimer' },
  { keys: 'Mod S', label: 'Enregistrer' },
];
const JOURNAL = [
  { keys: 'J', label: 'Génération suivante' },
  { keys: 'K', label: 'Génération précédente' },
  { keys: 'Entrée', label: 'Ouvrir' },
  { keys: 'V', label: 'Voir en grand' },
  { keys: 'A', label: 'Approuver' },
  { keys: 'R', label: 'Rejeter, avec une raison' },
  { keys: 'U', label: 'Annuler la dernière décision' },
  { keys: 'X', label: 'Choisir' },
];
const WHOLE_SCREEN = [
  { keys: '← →', label: 'Fichier précédent, suivant' },
  { keys: '+ -', label: 'Agrandir, réduire' },
  { keys: '0', label: 'Image entière' },
];

/** The list of keyboard shortcuts, and the switch for those of a single key. Loaded on demand. */
export default function Help({
  open,
  onOpenChange,
  founder,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  founder: boolean;
}) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Panel open={open} onOpenChange={onOpenChange} shape="wide" title="Raccourcis clavier">
      <div
        tabIndex={0}
        data-autofocus
        className="-outline-offset-2 grid gap-x-10 gap-y-5 rounded-md p-2 sm:grid-cols-2"
      >
        <Shortcuts title="Partout" items={EVERYWHERE} />
        <Shortcuts title="Espace et mémoire" items={SPACE} />
        <Shortcuts title="Journal et « À vérifier »" items={JOURNAL} />
        <Shortcuts title="En plein écran" items={WHOLE_SCREEN} />
        {navFor(founder).map((section) => (
          <Shortcuts
            key={section.label}
            title={section.label}
            items={section.items.flatMap((item) =>
              item.key ? [{ keys: `g ${item.key}`, label: item.label }] : [],
            )}
          />
        ))}
      </div>
      <Switch
        label="Raccourcis d’une seule touche"
        hint="Sans eux, une lettre ou un signe pressé seul ne fait rien dans ce navigateur. Entrée, Suppr, les flèches et ce qui se presse avec Ctrl ou Commande restent."
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setSingleKeys(checked);
          setOn(checked);
        }}
        className="mt-6 border-line border-t pt-4"
      />
    </Panel>
  );
}

function Shortcuts({ title, items }: { title: string; items: { keys: string; label: string }[] }) {
  return (
    <section>
      <h3 className="mb-1 font-medium text-ink-faint text-xs">{title}</h3>
      <ul role="list">
        {items.map((item) => (
          <li key={item.keys} className="flex min-h-8 items-center justify-between gap-4 text-sm">
            {item.label}
            <Kbd keys={item.keys} />
          </li>
        ))}
      </ul>
    </section>
  );
}
