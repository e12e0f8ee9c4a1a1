ALTER TABLE "profiles" ALTER COLUMN "education" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "profiles" ALTER COLUMN "location" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "profiles" ALTER COLUMN "linked_in" DROP NOT NULL;--> statement-breakpoint
insert into profiles (user_id, phone)
  select distinct on (user_id) user_id, phone from orders where phone <> '-' order by user_id, created_at desc
  on conflict do nothing;
