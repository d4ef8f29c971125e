/** The tables of the Chinook music shop, and some rows. */
// biome-ignore format: many a line
export const chinook = `
  CREATE TABLE artist (artist_id int NOT NULL, name varchar(120), CONSTRAINT artist_pkey PRIMARY KEY (artist_id));
  CREATE TABLE album (album_id int NOT NULL, title varchar(160) NOT NULL, artist_id int NOT NULL,
    CONSTRAINT album_pkey PRIMARY KEY (album_id));
  CREATE TABLE employee (employee_id int NOT NULL, last_name varchar(20) NOT NULL, first_name varchar(20) NOT NULL,
    title varchar(30), reports_to int, birth_date timestamp, hire_date timestamp, address varchar(70), city varchar(40),
    state varchar(40), country varchar(40), postal_code varchar(10), phone varchar(24), fax varchar(24), email varchar(60),
    CONSTRAINT employee_pkey PRIMARY KEY (employee_id));
  CREATE TABLE customer (customer_id int NOT NULL, first_name varchar(40) NOT NULL, last_name varchar(20) NOT NULL,
    company varchar(80), address varchar(70), city varchar(40), state varchar(40), country varchar(40),
    postal_code varchar(10), phone varchar(24), fax varchar(24), email varchar(60) NOT NULL, support_rep_id int,
    CONSTRAINT customer_pkey PRIMARY KEY (customer_id));
  CREATE TABLE genre (genre_id int NOT NULL, name varchar(120), CONSTRAINT genre_pkey PRIMARY KEY (genre_id));
  CREATE TABLE invoice (invoice_id int NOT NULL, customer_id int NOT NULL, invoice_date timestamp NOT NULL,
    billing_address varchar(70), billing_city varchar(40), billing_state varchar(40), billing_country varchar(40),
    billing_postal_code varchar(10), total numeric(10,2) NOT NULL, CONSTRAINT invoice_pkey PRIMARY KEY (invoice_id));
  CREATE TABLE media_type (media_type_id int NOT NULL, name varchar(120),
    CONSTRAINT media_type_pkey PRIMARY KEY (media_type_id));
  CREATE TABLE playlist (playlist_id int NOT NULL, name varchar(120), CONSTRAINT playlist_pkey PRIMARY KEY (playlist_id));
  CREATE TABLE track (track_id int NOT NULL, name varchar(200) NOT NULL, album_id int, media_type_id int NOT NULL,
    genre_id int, composer varchar(220), milliseconds int NOT NULL, bytes int, unit_price numeric(10,2) NOT NULL,
    CONSTRAINT track_pkey PRIMARY KEY (track_id));
  CREATE TABLE invoice_line (invoice_line_id int NOT NULL, invoice_id int NOT NULL, track_id int NOT NULL,
    unit_price numeric(10,2) NOT NULL, quantity int NOT NULL, CONSTRAINT invoice_line_pkey PRIMARY KEY (invoice_line_id));
  CREATE TABLE playlist_track (playlist_id int NOT NULL, track_id int NOT NULL,
    CONSTRAINT playlist_track_pkey PRIMARY KEY (playlist_id, track_id));
${[
  ["album", "artist_id", "artist"], ["customer", "support_rep_id", "employee"],
  ["employee", "reports_to", "employee"], ["invoice", "customer_id", "customer"],
  ["invoice_line", "invoice_id", "invoice"], ["invoice_line", "track_id", "track"],
  ["playlist_track", "playlist_id", "playlist"], ["playlist_track", "track_id", "track"],
  ["track", "album_id", "album"], ["track", "genre_id", "genre"], ["track", "media_type_id", "media_type"],
]
  .map(
    ([table, column, target]) => `
  ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (${column}) REFERENCES ${target} (${target}_id)
    ON DELETE NO ACTION ON UPDATE NO ACTION;
  CREATE INDEX ${table}_${column}_idx ON ${table} (${column});`,
  )
  .join("")}
  INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept'), (275, 'Philip Glass Ensemble');
  INSERT INTO album VALUES (1, 'For Those About To Rock We Salute You', 1), (2, 'Balls to the Wall', 2);
  INSERT INTO genre VALUES (1, 'Rock'), (24, 'Classical');
  INSERT INTO media_type VALUES (1, 'MPEG audio file');
  INSERT INTO track VALUES (1, 'For Those About To Rock', 1, 1, 1, 'Young, Young, Johnson', 343719, 11170334, 0.99),
    (2, 'Balls to the Wall', 2, 1, 1, NULL, 342562, 5510424, 1.99), (3503, 'Koyaanisqatsi', NULL, 1, 24, 'Glass', 206005, NULL, 0.99);
  INSERT INTO employee (employee_id, last_name, first_name, title, reports_to, birth_date, hire_date) VALUES
    (1, 'Adams', 'Andrew', 'General Manager', NULL, '1962-02-18', '2002-08-14'),
    (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '1958-12-08', '2002-05-01 10:30:00'),
    (3, 'Peacock', 'Jane', 'Sales Support Agent', 2, '1973-08-29', '2002-04-01');
  INSERT INTO customer (customer_id, first_name, last_name, email, support_rep_id) VALUES
    (1, 'Luís', 'Gonçalves', 'luisg@embraer.com.br', 3), (59, 'Puja', 'Srivastava', 'puja@yahoo.in', 3);
  INSERT INTO invoice (invoice_id, customer_id, invoice_date, total) VALUES (98, 1, '2022-03-11', 3.98), (412, 59, '2025-12-22', 1.99);
  INSERT INTO invoice_line VALUES (1, 98, 1, 0.99, 1), (2, 98, 2, 1.99, 1), (2240, 412, 3503, 1.99, 1);
  INSERT INTO playlist VALUES (1, 'Music'), (18, 'On-The-Go 1');
  INSERT INTO playlist_track VALUES (1, 1), (1, 2), (1, 3503), (18, 2);`;
