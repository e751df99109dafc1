# Takes the password out of DATABASE_URL and gives it to PostgreSQL's programs as PGPASSWORD. Read in by systole-backup and systole-restore; no program of its own.
# A password in the arguments of a program is everybody's to read on this machine.
scheme=${DATABASE_URL%%://*}
behind=${DATABASE_URL#*://}
authority=${behind%%/*}
case $authority in
  *:*@*)
    account=${authority%@*}
    secret=${account#*:}
    PGPASSWORD=$(SECRET=$secret node --eval 'process.stdout.write(decodeURIComponent(process.env.SECRET))')
    export PGPASSWORD
    DATABASE_URL=$scheme://${account%%:*}@${authority##*@}${behind#"$authority"}
    ;;
esac
