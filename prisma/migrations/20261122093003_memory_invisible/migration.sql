-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "hasInvisible" BOOLEAN NOT NULL DEFAULT false;

-- The characters of SUSPECT in lib/brain/text/invisible.ts (a test compares the two, code point by code point).
CREATE FUNCTION has_invisible(value text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT value ~ '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\u0001-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F]'
$$;

CREATE FUNCTION memory_mark_invisible() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."hasInvisible" := has_invisible(NEW.title) OR has_invisible(NEW.body);
  RETURN NEW;
END
$$;

CREATE TRIGGER memory_mark_invisible BEFORE INSERT OR UPDATE OF title, body ON "Memory"
FOR EACH ROW EXECUTE FUNCTION memory_mark_invisible();

UPDATE "Memory" SET "hasInvisible" = true WHERE has_invisible(title) OR has_invisible(body);
