/** Properties of a visitor that a page can see, as in the capital or largest city of a country. */
type CountryProfile = { locale: string; timezoneId: string; latitude: number; longitude: number }

/** country: locale, time zone, latitude, longitude */
const table = `
AE: ar-AE Asia/Dubai 25.2 55.3
AR: es-AR America/Argentina/Buenos_Aires -34.6 -58.4
AT: de-AT Europe/Vienna 48.2 16.4
AU: en-AU Australia/Sydney -33.9 151.2
BD: bn-BD Asia/Dhaka 23.8 90.4
BE: nl-BE Europe/Brussels 50.9 4.4
BG: bg-BG Europe/Sofia 42.7 23.3
BR: pt-BR America/Sao_Paulo -23.6 -46.6
CA: en-CA America/Toronto 43.7 -79.4
CH: de-CH Europe/Zurich 47.4 8.5
CL: es-CL America/Santiago -33.5 -70.7
CN: zh-CN Asia/Shanghai 31.2 121.5
CO: es-CO America/Bogota 4.7 -74.1
CY: el-CY Asia/Nicosia 35.2 33.4
CZ: cs-CZ Europe/Prague 50.1 14.4
DE: de-DE Europe/Berlin 52.5 13.4
DK: da-DK Europe/Copenhagen 55.7 12.6
EE: et-EE Europe/Tallinn 59.4 24.8
EG: ar-EG Africa/Cairo 30.0 31.2
ES: es-ES Europe/Madrid 40.4 -3.7
FI: fi-FI Europe/Helsinki 60.2 24.9
FR: fr-FR Europe/Paris 48.9 2.4
GB: en-GB Europe/London 51.5 -0.1
GR: el-GR Europe/Athens 38.0 23.7
HK: zh-HK Asia/Hong_Kong 22.3 114.2
HR: hr-HR Europe/Zagreb 45.8 16.0
HU: hu-HU Europe/Budapest 47.5 19.0
ID: id-ID Asia/Jakarta -6.2 106.8
IE: en-IE Europe/Dublin 53.3 -6.3
IL: he-IL Asia/Jerusalem 32.1 34.8
IN: en-IN Asia/Kolkata 28.6 77.2
IS: is-IS Atlantic/Reykjavik 64.1 -21.9
IT: it-IT Europe/Rome 41.9 12.5
JP: ja-JP Asia/Tokyo 35.7 139.7
KE: en-KE Africa/Nairobi -1.3 36.8
KR: ko-KR Asia/Seoul 37.6 127.0
LT: lt-LT Europe/Vilnius 54.7 25.3
LU: fr-LU Europe/Luxembourg 49.6 6.1
LV: lv-LV Europe/Riga 56.9 24.1
MA: fr-MA Africa/Casablanca 33.6 -7.6
MT: en-MT Europe/Malta 35.9 14.5
MX: es-MX America/Mexico_City 19.4 -99.1
MY: ms-MY Asia/Kuala_Lumpur 3.1 101.7
NG: en-NG Africa/Lagos 6.5 3.4
NL: nl-NL Europe/Amsterdam 52.4 4.9
NO: nb-NO Europe/Oslo 59.9 10.8
NZ: en-NZ Pacific/Auckland -36.8 174.8
PE: es-PE America/Lima -12.0 -77.0
PH: en-PH Asia/Manila 14.6 121.0
PK: en-PK Asia/Karachi 24.9 67.0
PL: pl-PL Europe/Warsaw 52.2 21.0
PT: pt-PT Europe/Lisbon 38.7 -9.1
RO: ro-RO Europe/Bucharest 44.4 26.1
RS: sr-RS Europe/Belgrade 44.8 20.5
RU: ru-RU Europe/Moscow 55.8 37.6
SA: ar-SA Asia/Riyadh 24.7 46.7
SE: sv-SE Europe/Stockholm 59.3 18.1
SG: en-SG Asia/Singapore 1.3 103.8
SI: sl-SI Europe/Ljubljana 46.1 14.5
SK: sk-SK Europe/Bratislava 48.1 17.1
TH: th-TH Asia/Bangkok 13.8 100.5
TR: tr-TR Europe/Istanbul 41.0 29.0
TW: zh-TW Asia/Taipei 25.0 121.6
UA: uk-UA Europe/Kyiv 50.5 30.5
US: en-US America/New_York 40.7 -74.0
VN: vi-VN Asia/Ho_Chi_Minh 10.8 106.7
ZA: en-ZA Africa/Johannesburg -26.2 28.0`

const countryProfiles: ReadonlyMap<string, CountryProfile> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [country = '', locale = '', timezoneId = '', latitude, longitude] = line.split(/:? /)
      return [country, { locale, timezoneId, latitude: Number(latitude), longitude: Number(longitude) }]
    }),
)

/** Returns undefined for a country that is not in the table; then only requested languages are emulated. */
export const countryProfile = (country: string): CountryProfile | undefined =>
  countryProfiles.get(country.toUpperCase())

/** Adds base languages as browsers do: `de-DE` is followed by `de`. */
export function withBaseLanguages(languages: readonly string[]): string[] {
  return Array.from(new Set(languages.flatMap((language) => [language, language.split('-', 1)[0] ?? language])))
}
