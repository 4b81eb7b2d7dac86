import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  defaultKind,
  isPillarRole,
  MEMORY_KINDS,
  MEMORY_SOURCES,
  PILLAR_ROLES,
  pillarPresentation,
  SPACE_TEMPLATES,
  templateLabel,
} from '#lib/brain/templates.ts';

describe('templates', () => {
  it('keep the words of the API: five roles in their order, five templates, nine sources', () => {
    expect(PILLAR_ROLES).toEqual(['IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE']);
    expect(SPACE_TEMPLATES).toEqual(['brand', 'app', 'work', 'personal', 'blank']);
    expect(MEMORY_SOURCES.join()).toBe('REPO,WEBSITE,UPLOAD,CHAT,LOOP,MANUAL,CONNECTOR,MCP,API');
  });

  it('name the five templates in French', () => {
    expect(SPACE_TEMPLATES.map(templateLabel)).toEqual(['Marque', 'App', 'Travail', 'Personnel', 'Libre']);
  });

  it('give each pillar its own label, an icon that lucide has, and one sentence', () => {
    for (const template of SPACE_TEMPLATES) {
      const labels = PILLAR_ROLES.map((role) => pillarPresentation(template, role).label);
      expect(new Set(labels).size).toBe(5);
      for (const role of PILLAR_ROLES) {
        const { icon, note } = pillarPresentation(template, role);
        const file = new URL(`../../../node_modules/lucide/dist/esm/icons/${icon}.mjs`, import.meta.url);
        expect(existsSync(file), icon).toBe(true);
        expect(note).toMatch(/^[A-ZÀ].*\.$/);
        expect(note).not.toMatch(/'| [:;!?»]|« /);
      }
    }
  });

  it('recognise only exact roles', () => {
    expect(PILLAR_ROLES.every(isPillarRole)).toBe(true);
    for (const value of ['identity', '', 'toString', null, 3]) expect(isPillarRole(value)).toBe(false);
  });

  it('choose the kind of a Memory from its pillar', () => {
    expect(MEMORY_KINDS.join()).toBe('NOTE,DOCUMENT,PAGE,FACT,ITEM,PERSON');
    expect(PILLAR_ROLES.map(defaultKind)).toEqual(['NOTE', 'NOTE', 'NOTE', 'ITEM', 'PERSON']);
  });
});
