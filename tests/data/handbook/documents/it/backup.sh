#!/bin/sh
# Backs up the database of Ferry: every night at 02:30, kept for 35 days.
set -eu

target="/backup/ferry-$(date +%F).dump"

# stops when less than 20 gigabytes are free, since a half dump is worse than none
check_space() {
    free=$(df --output=avail -BG /backup | tail -1 | tr -dc '0-9')
    [ "$free" -ge 20 ] || { echo "only ${free} GB free" >&2; exit 3; }
}

dump() {
    pg_dump -h perch -U ferry -Fc ferry > "$target.part"
    mv "$target.part" "$target"
}

prune() {
    find /backup -name 'ferry-*.dump' -mtime +35 -delete
}

check_space
dump
prune
