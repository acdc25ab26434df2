#!/bin/sh
# Makes an authority and the certificates that docker-compose.tls.yml mounts, in ./certificates (or the folder given):
#   ca.crt, ca.key                    the authority; keep ca.key off the machine
#   eventstore.crt, eventstore.key    of the three nodes of EventStoreDB
#   front-door.pem                    of the front door, for HOST: to try it. For people, use one of a public authority.
# Usage: HOST=paper.example sh infra/certificates/make.sh [FOLDER]
set -eu
folder=${1:-certificates}
host=${HOST:-localhost}
days=${DAYS:-365}

if [ -e "$folder/ca.key" ]; then
  echo "$folder has an authority already: move it away, or give another folder." >&2
  exit 1
fi
# Nobody else enters the folder. Its files can be read by the users of the containers, which get each file by itself.
mkdir -p "$folder"
chmod 700 "$folder"
umask 022
cd "$folder"

openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj '/CN=paper authority' -keyout ca.key -out ca.crt \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
chmod 600 ca.key

# issue NAME COMMON_NAME SUBJECT_ALT_NAMES
issue() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$2" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf '%s\n' "subjectAltName=$3" 'keyUsage=critical,digitalSignature,keyEncipherment' \
    'extendedKeyUsage=serverAuth,clientAuth' 'basicConstraints=CA:FALSE' > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days "$days" -extfile "$1.ext" \
    -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

# EventStoreDB requires this common name of all nodes.
issue eventstore eventstoredb-node 'DNS:eventstore,DNS:eventstore-2,DNS:eventstore-3,DNS:localhost,IP:127.0.0.1'
issue front-door "$host" "DNS:$host"
cat front-door.crt front-door.key > front-door.pem
rm front-door.crt front-door.key
chmod 644 eventstore.key front-door.pem
echo "Made in $folder: ca.crt, eventstore.crt and front-door.pem, valid for $days days."
