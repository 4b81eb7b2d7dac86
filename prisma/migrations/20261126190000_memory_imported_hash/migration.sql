-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "importedHash" BYTEA;
