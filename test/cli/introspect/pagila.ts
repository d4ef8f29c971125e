/** The hard parts of Pagila, a video rental shop, and some rows. */
export const pagila = `
  CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
  CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (VALUE >= 1901 AND VALUE <= 2155);
  CREATE FUNCTION last_updated() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.last_update = CURRENT_TIMESTAMP; RETURN NEW; END $$;

  CREATE TABLE language (language_id serial PRIMARY KEY, name character(20) NOT NULL, last_update timestamp DEFAULT now() NOT NULL);
  CREATE TABLE actor (actor_id serial PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL,
    last_update timestamp DEFAULT now() NOT NULL);
  CREATE TABLE category (category_id smallserial PRIMARY KEY, name varchar(25) NOT NULL UNIQUE);
  CREATE TABLE film (film_id serial PRIMARY KEY, title varchar(255) NOT NULL, description text, release_year year,
    language_id integer NOT NULL REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
    original_language_id integer REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
    rental_duration smallint DEFAULT 3 NOT NULL, rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL, length smallint,
    replacement_cost numeric(5,2) DEFAULT 19.99 NOT NULL, rating mpaa_rating DEFAULT 'G'::mpaa_rating,
    last_update timestamp DEFAULT now() NOT NULL, special_features text[], fulltext tsvector NOT NULL);
  CREATE TABLE film_actor (actor_id smallint NOT NULL REFERENCES actor ON UPDATE CASCADE ON DELETE RESTRICT,
    film_id smallint NOT NULL REFERENCES film ON UPDATE CASCADE ON DELETE RESTRICT,
    last_update timestamp DEFAULT now() NOT NULL, PRIMARY KEY (actor_id, film_id));
  CREATE TABLE film_category (film_id smallint NOT NULL REFERENCES film, category_id smallint NOT NULL REFERENCES category,
    PRIMARY KEY (film_id, category_id));
  CREATE TABLE store (store_id serial PRIMARY KEY, manager_staff_id smallint NOT NULL);
  CREATE TABLE staff (staff_id serial PRIMARY KEY, first_name varchar(45) NOT NULL, email varchar(50),
    store_id smallint NOT NULL REFERENCES store, active boolean DEFAULT true NOT NULL, username varchar(16) NOT NULL,
    password varchar(40), picture bytea);
  CREATE TABLE customer (customer_id serial PRIMARY KEY, store_id smallint NOT NULL REFERENCES store, first_name varchar(45) NOT NULL,
    activebool boolean DEFAULT true NOT NULL, create_date date DEFAULT ('now'::text)::date NOT NULL, active integer);
  CREATE TABLE inventory (inventory_id serial PRIMARY KEY, film_id smallint NOT NULL REFERENCES film, store_id smallint NOT NULL REFERENCES store);
  CREATE TABLE rental (rental_id serial PRIMARY KEY, rental_date timestamp NOT NULL, inventory_id integer NOT NULL REFERENCES inventory,
    customer_id smallint NOT NULL REFERENCES customer, return_date timestamp, staff_id smallint NOT NULL REFERENCES staff);
  CREATE TABLE payment (payment_id serial, customer_id smallint NOT NULL REFERENCES customer, rental_id integer NOT NULL REFERENCES rental,
    amount numeric(5,2) NOT NULL, payment_date timestamp NOT NULL, PRIMARY KEY (payment_date, payment_id)) PARTITION BY RANGE (payment_date);
  CREATE TABLE payment_p2022_01 PARTITION OF payment FOR VALUES FROM ('2022-01-01') TO ('2022-02-01');

  CREATE INDEX idx_title ON film (title);
  CREATE INDEX idx_fk_language_id ON film (language_id);
  CREATE INDEX film_fulltext_idx ON film USING gist (fulltext);
  CREATE INDEX idx_fk_film_id ON film_actor (film_id);
  CREATE INDEX idx_store_id_film_id ON inventory (store_id, film_id);
  CREATE UNIQUE INDEX idx_unq_rental ON rental (rental_date, inventory_id, customer_id);
  CREATE UNIQUE INDEX idx_unq_manager_staff_id ON store (manager_staff_id);
  CREATE TRIGGER film_fulltext_trigger BEFORE INSERT OR UPDATE ON film FOR EACH ROW
    EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');
  CREATE TRIGGER last_updated BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION last_updated();
  CREATE VIEW film_list AS SELECT f.film_id AS fid, f.title, f.rental_rate AS price, f.rating FROM film f;
  CREATE VIEW actor_names AS SELECT actor_id, first_name FROM actor WHERE last_name <> '';
  COMMENT ON TABLE film IS 'A film, of which the stores have copies.';
  COMMENT ON COLUMN film.length IS 'In minutes.';

  INSERT INTO language (name) VALUES ('English'), ('Italian');
  INSERT INTO actor (first_name, last_name) VALUES ('PENELOPE', 'GUINESS'), ('NICK', 'WAHLBERG');
  INSERT INTO category (name) VALUES ('Action'), ('Animation');
  INSERT INTO film (title, description, release_year, language_id, rental_rate, length, rating, special_features, last_update) VALUES
    ('ACADEMY DINOSAUR', 'An Epic Drama of a Feminist', 2006, 1, 0.99, 86, 'PG', '{Trailers}', '2007-09-10 17:46:03.905795'),
    ('ACE GOLDFINGER', 'An Astounding Epistle', 2006, 1, 4.99, 48, 'NC-17', NULL, '2007-09-10 17:46:03');
  INSERT INTO film_actor (actor_id, film_id) VALUES (1, 1), (2, 1), (2, 2);
  INSERT INTO film_category VALUES (1, 1), (2, 2);
  INSERT INTO store (manager_staff_id) VALUES (1);
  INSERT INTO staff (first_name, store_id, username, picture) VALUES ('Mike', 1, 'Mike', '\\x89504e');
  ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff;
  INSERT INTO customer (store_id, first_name, create_date) VALUES (1, 'MARY', '2022-02-14'), (1, 'PATRICIA', '2022-02-14');
  INSERT INTO inventory (film_id, store_id) VALUES (1, 1), (2, 1);
  INSERT INTO rental (rental_date, inventory_id, customer_id, staff_id) VALUES ('2022-01-24 21:53:30', 1, 1, 1);
  INSERT INTO payment (customer_id, rental_id, amount, payment_date) VALUES (1, 1, 2.99, '2022-01-24 21:58:10');`;
