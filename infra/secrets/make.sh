#!/bin/sh
# Makes the secrets of docker-compose.yml and infra/kubernetes, a file each, in ./secrets (or the folder given):
#   database-url, postgres-password   of the database's owner
#   NAME-database-url                 of the role of command-api, projector, query-api and stream-gateway (reader), portal,
#                                     backtests
#   eventstore-password               of the administrator of EventStoreDB, where it has TLS (infra/kubernetes/tls)
#   journal-url, NAME-journal-url     of that administrator; of the users of command-api, projector and the others (reader)
#   operator-tokens                   of those who run the exchange, name:token,… (docs/operate/security.md)
#   portal-token, portal-secret       of the portal; the secret encrypts the keys that it stores
#   mcp-secret                        signs orders that agents prepare
#   smtp-url, company-client-secret   empty: fill them in, and name them in .env
# Usage: sh infra/secrets/make.sh [FOLDER]
set -eu
folder=${1:-secrets}
# The user of the images.
owner=1000

if [ -e "$folder/database-url" ]; then
  echo "$folder has secrets already: move them away, or give another folder." >&2
  exit 1
fi
umask 077
mkdir -p "$folder"
cd "$folder"

put() { printf '%s\n' "$2" > "$1"; }
random() { openssl rand -hex "$1"; }

put postgres-password "$(random 24)"
put database-url "postgresql://paper:$(cat postgres-password)@postgres:5432/paper"
for role in command projector reader portal backtests; do
  put "$role-database-url" "postgresql://paper_$role:$(random 24)@postgres:5432/paper"
done
journal='eventstore:2113?tls=true&tlsCAFile=/run/journal/ca.crt'
put eventstore-password "$(random 24)"
put journal-url "esdb://admin:$(cat eventstore-password)@$journal"
for role in command projector reader; do
  put "$role-journal-url" "esdb://paper_$role:$(random 24)@$journal"
done
put portal-token "$(random 32)"
# The portal opens accounts, and can do nothing with those of others.
put operator-tokens "operator:$(random 24),portal:$(cat portal-token):accounts-own"
put portal-secret "$(random 32)"
put mcp-secret "$(random 32)"
: > smtp-url
: > company-client-secret

if [ "$(id -u)" = 0 ]; then chown -R "$owner:$owner" .; fi
echo "Made in $folder. The operator's token: cut -d, -f1 $folder/operator-tokens"
if [ "$(stat -c %u .)" != "$owner" ]; then
  echo "The containers read it as user $owner: sudo chown -R $owner:$owner $folder" >&2
fi
