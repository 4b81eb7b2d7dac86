-- AlterEnum
ALTER TYPE "UploadKind" ADD VALUE 'DOCUMENT';
