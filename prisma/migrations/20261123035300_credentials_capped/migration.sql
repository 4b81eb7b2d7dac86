-- Apart from the constraints themselves: this reads the tables under a lock that lets others write.
ALTER TABLE "DeveloperKey" VALIDATE CONSTRAINT "DeveloperKey_capped";
ALTER TABLE "OAuthGrant" VALIDATE CONSTRAINT "OAuthGrant_capped";
