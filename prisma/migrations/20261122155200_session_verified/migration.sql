-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "verifiedAt" TIMESTAMPTZ(3);

-- A sign-in proved who was there: what is older than ten minutes asks again, as it would have.
UPDATE "Session" SET "verifiedAt" = "createdAt";
