import type { KeptBytes, Unerased } from '#lib/storage/bin/erase-bytes.ts';

const LEFT: Record<KeptBytes, string> = {
  copy: 'Ses octets restent\u00a0: d’après sa marque, le magasin de fichiers est celui d’un service à une autre adresse, dont cette base est une copie',
  refused: 'Le magasin de fichiers a refusé d’effacer ses octets\u00a0: ils y restent trente jours au plus',
  changed:
    'D’autres octets ont pris leur place dans le magasin de fichiers\u00a0: ils y restent trente jours au plus',
  silent: 'Le magasin de fichiers n’a pas répondu\u00a0: ses octets y restent trente jours au plus',
};

/** What a founder reads after erasing an item: whether its file was erased too, and if not, why. */
export function erasedWords({ because }: Pick<Unerased, 'because'>): string {
  if (because === null) return 'Effacé pour toujours';
  return `Effacé\u00a0: plus personne n’y accède. ${LEFT[because]}`;
}
