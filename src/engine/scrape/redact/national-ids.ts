import * as insz from 'stdnum/lib/cjs/be/insz.js'
import * as egn from 'stdnum/lib/cjs/bg/egn.js'
import * as swissAhv from 'stdnum/lib/cjs/ch/ssn.js'
import * as rodneCislo from 'stdnum/lib/cjs/cz/rc.js'
import * as idnr from 'stdnum/lib/cjs/de/idnr.js'
import * as cpr from 'stdnum/lib/cjs/dk/cpr.js'
import * as isikukood from 'stdnum/lib/cjs/ee/ik.js'
import * as dni from 'stdnum/lib/cjs/es/dni.js'
import * as nie from 'stdnum/lib/cjs/es/nie.js'
import * as hetu from 'stdnum/lib/cjs/fi/hetu.js'
import * as nir from 'stdnum/lib/cjs/fr/nir.js'
import * as nino from 'stdnum/lib/cjs/gb/nino.js'
import * as amka from 'stdnum/lib/cjs/gr/amka.js'
import * as oib from 'stdnum/lib/cjs/hr/oib.js'
import * as pps from 'stdnum/lib/cjs/ie/pps.js'
import * as codiceFiscale from 'stdnum/lib/cjs/it/codicefiscale.js'
import * as bsn from 'stdnum/lib/cjs/nl/bsn.js'
import * as fodselsnummer from 'stdnum/lib/cjs/no/fodselsnummer.js'
import * as pesel from 'stdnum/lib/cjs/pl/pesel.js'
import * as cnp from 'stdnum/lib/cjs/ro/cnp.js'
import * as personnummer from 'stdnum/lib/cjs/se/personnummer.js'
import * as emso from 'stdnum/lib/cjs/si/emso.js'
import * as tckimlik from 'stdnum/lib/cjs/tr/tckimlik.js'
import type { NumberShape } from './national-ids-elsewhere.ts'

/**
 * Identity numbers of persons in Europe, as people write them. A number whose check misses about nine of ten errors
 * counts only next to its name.
 */
export const europeanIds: readonly NumberShape[] = [
  { shape: /\d{2}[. ]?\d{2}[. ]?\d{2}[- ]?\d{3}[. ]?\d{2}/, check: insz },
  { shape: /\d{10}/, check: egn, name: /ЕГН|EGN/i },
  { shape: /756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}/, check: swissAhv },
  { shape: /\d{6}\/?\d{4}/, check: rodneCislo, name: /\bRČ|rodné|R\.\s?č/i, loose: /\d{6}\/\d{4}/ },
  {
    shape: /\d{2} ?\d{3} ?\d{3} ?\d{3}/,
    check: idnr,
    name: /\bId-?Nr|Steuer|TIN\b/i,
    loose: /\d{2} \d{3} \d{3} \d{3}/,
  },
  { shape: /\d{6}-\d{4}/, check: cpr },
  { shape: /[1-8]\d{10}/, check: isikukood },
  { shape: /\d{8}[- ]?[A-Z]/i, check: dni },
  { shape: /[XYZ][- ]?\d{7}[- ]?[A-Z]/i, check: nie },
  { shape: /\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]/i, check: hetu },
  { shape: /[1278] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/i, check: nir },
  { shape: /[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]/i, check: nino },
  { shape: /\d{11}/, check: amka },
  { shape: /\d{11}/, check: oib, name: /OIB/i },
  { shape: /\d{7}[A-W][ABHW]?/i, check: pps },
  {
    shape: /[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]/i,
    check: codiceFiscale,
  },
  { shape: /\d{9}|\d{4}[. ]\d{2}[. ]\d{3}/, check: bsn, name: /BSN|burgerservice/i },
  { shape: /\d{6} ?\d{5}/, check: fodselsnummer },
  { shape: /\d{11}/, check: pesel },
  { shape: /\d{13}/, check: cnp },
  { shape: /(?:\d{2})?\d{6}[-+]\d{4}/, check: personnummer },
  { shape: /\d{13}/, check: emso },
  { shape: /[1-9]\d{10}/, check: tckimlik },
]
