-- AlterTable
ALTER TABLE "Member" ADD COLUMN     "firstStepsHiddenAt" TIMESTAMPTZ(3);
