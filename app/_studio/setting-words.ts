import type { MissedSetting } from '#lib/studio/generation/settings.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ServerLayer } from '#lib/studio/prompt/server-layers.ts';

const COST_SOURCES: Record<NonNullable<GenerationView['params']['costSource']>, string> = {
  gateway: 'facture de la passerelle',
  usage: 'quantités mesurées',
  formula: 'tarif publié',
  reserve: 'montant retenu, chiffre reçu à vérifier',
  estimate: 'prix prévu, faute de mesure',
};

/** The source of a generation's cost, in words; null if it is unknown. A lipsync does not use the gateway: its provider reports the price. */
export function costSourceWords({
  kind,
  params: { costSource },
}: Pick<GenerationView, 'kind' | 'params'>): string | null {
  if (!costSource) return null;
  return costSource === 'gateway' && kind === 'LIPSYNC' ? 'facture du fournisseur' : COST_SOURCES[costSource];
}

export const CLOSED_BY: Record<NonNullable<GenerationView['closedBy']>, string> = {
  request: 'la demande elle-même',
  webhook: 'l’appel du fournisseur',
  read: 'une consultation de la ligne',
  sweep: 'la relève automatique',
  callback: 'l’appel du service de rendu',
};

/** The French names of the settings and parts of a request. */
const SETTING_LABELS: Record<MissedSetting, string> = {
  aspectRatio: 'Format',
  seed: 'Graine',
  background: 'Fond',
  scale: 'Agrandissement',
  durationSeconds: 'Durée',
  resolution: 'Définition',
  generateAudio: 'Son',
  voiceId: 'Voix',
  stability: 'Stabilité',
  similarityBoost: 'Ressemblance',
  speed: 'Vitesse',
  pronunciations: 'Prononciations',
  duration: 'Durée',
  mode: 'Mode',
  fps: 'Images par seconde',
  format: 'Format',
  size: 'Dimensions',
  viewBox: 'Format',
  references: 'Références',
};

/** A setting in words; a provider's own name stays as it is. */
export const settingLabel = (name: string): string =>
  Object.hasOwn(SETTING_LABELS, name) ? SETTING_LABELS[name as MissedSetting] : name;

const LAYER_LABELS: Record<ServerLayer, string> = {
  system: 'Consigne système',
  rules: 'Règles',
  connectors: 'Connecteurs',
};

/** The value of a setting in words: `oui`, `6 s`, or as it is. */
export function settingValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'oui' : 'non';
  if (name === 'scale') return `× ${String(value)}`;
  if (name === 'durationSeconds') return `${String(value)}\u00a0s`;
  return String(value).replace('.', typeof value === 'number' ? ',' : '.');
}

/** A layer that was left out and the reason, in words. */
export function ignoredLayer(layer: string): { label: string; reason: string } {
  if (layer.startsWith('skill:'))
    return {
      label: `Savoir-faire «\u00a0${layer.slice(6)}\u00a0»`,
      reason: 'inconnu, ou pas pour ce type',
    };
  const label = Object.hasOwn(LAYER_LABELS, layer) ? LAYER_LABELS[layer as ServerLayer] : layer;
  return { label, reason: 'seul le serveur en décide' };
}
