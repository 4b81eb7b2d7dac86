-- AlterTable
ALTER TABLE "Lesson" ADD COLUMN     "key" TEXT;
