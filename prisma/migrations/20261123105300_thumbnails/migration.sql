-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "thumbnail" TEXT,
ADD COLUMN     "thumbnailAt" TIMESTAMPTZ(3);
