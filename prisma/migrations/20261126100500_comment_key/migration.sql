-- AlterTable
ALTER TABLE "GenerationComment" ADD COLUMN     "key" TEXT;
