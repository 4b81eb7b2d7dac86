-- AlterEnum
ALTER TYPE "LedgerKind" ADD VALUE 'REST';
