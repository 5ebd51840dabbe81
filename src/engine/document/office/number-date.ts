const dayMs = 86_400_000
const literal = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

/** True for a section that shows parts of a date or a time. */
export function isDateFormat(section: string): boolean {
  const plain = section.replace(literal, '')
  return !/general/i.test(plain) && /[ymdhs]/i.test(plain) && !/[#?]/.test(plain)
}

/** A serial day number as ISO 8601, as exact as the section shows it; undefined for what is no day of the calendar. */
export function formatDate(serial: number, section: string, system: 1900 | 1904): string | undefined {
  const plain = section.replace(literal, '')
  if (/\[[hms]+\]/i.test(plain)) return elapsed(serial, plain)
  const seconds = Math.round(serial * 86_400)
  const time = new Date(epochOf(seconds / 86_400, system) + seconds * 1000)
  if (serial < 0 || !(time.getTime() < Date.UTC(10_000, 0))) return undefined
  const iso = time.toISOString()
  const hasTime = /[hs]/i.test(plain)
  const clock = /s/i.test(plain) ? iso.slice(11, 19) : iso.slice(11, 16)
  if (!/[yd]/i.test(plain) && hasTime) return clock
  const day =
    /d/i.test(plain) || !/y/i.test(plain) ? iso.slice(0, 10) : /m/i.test(plain) ? iso.slice(0, 7) : iso.slice(0, 4)
  return hasTime ? `${day} ${clock}` : day
}

/** The system of 1900 counts a 29 February 1900 that never was. */
function epochOf(serial: number, system: 1900 | 1904): number {
  if (system === 1904) return Date.UTC(1904, 0, 1)
  return Date.UTC(1899, 11, 30) + (serial < 60 ? dayMs : 0)
}

const two = (value: number) => String(value).padStart(2, '0')

function elapsed(serial: number, plain: string): string {
  const seconds = Math.round(Math.abs(serial) * 86_400)
  const sign = serial < 0 ? '-' : ''
  if (/\[s/i.test(plain)) return sign + seconds
  const minutes = Math.floor(seconds / 60)
  const rest = /s/i.test(plain) ? `:${two(seconds % 60)}` : ''
  if (/\[m/i.test(plain)) return sign + minutes + rest
  return `${sign}${Math.floor(minutes / 60)}:${two(minutes % 60)}${rest}`
}
