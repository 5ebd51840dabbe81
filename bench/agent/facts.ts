/** Facts that a client has to find or change. The pages are built from them, and answers are compared with them. */
export const berth = 'C-47'
export const login = { user: 'ann', password: 'tide-72' }
export const orders = Array.from({ length: 40 }, (_, index) => ({
  id: `A-${1001 + index}`,
  goods: `${['Deck brush', 'Fender set', 'Hand winch', 'Storm lamp', 'Bilge pump'][index % 5]} ${(index % 7) + 1}`,
  total: `${(19.4 + index * 7.35).toFixed(2)} €`,
  state: ['arrived', 'on its way', 'being packed'][index % 3] ?? '',
}))
export const wantedOrder = 'A-1033'
export const goods = [
  ['Brass bell 15 cm', 34.9],
  ['Brass bell 20 cm', 52.5],
  ['Brass bell 25 cm', 78],
  ['Bell rope, white', 6.2],
  ['Bell bracket', 11.75],
  ['Bell buoy, model', 24.3],
  ['Anchor 8 kg', 61],
  ['Anchor chain 6 m', 44.1],
] as const
export const wantedGoods = 'Brass bell 20 cm'
export const members = Array.from({ length: 30 }, (_, index) => ({
  number: index + 1,
  name: `${['Ada', 'Bo', 'Cleo', 'Dag', 'Eva', 'Finn'][index % 6]} ${['Hansen', 'Meyer', 'Lund', 'Petersen', 'Vogt'][index % 5]}`,
  since: 1990 + ((index * 7) % 33),
}))
const watches = ['wind from the west, sea calm', 'fog until noon', 'two seals off the mole', 'rain, and a rising glass']
export const entries = Array.from(
  { length: 100 },
  (_, index) => `Entry ${index + 1}: ${watches[index % 4]}; ${((index * 37) % 90) + 10} boats passed`,
)
export const wantedEntry = 75
/** Price of the insurance of a boat, € per year. */
export const premium = (boat: { length: number; kind: string; start: string }): string =>
  (boat.length * (boat.kind === 'Sailing boat' ? 23.4 : 31.1) + Number(boat.start.slice(5, 7)) * 1.5).toFixed(2)
export const boat = { length: 8, kind: 'Sailing boat', start: '2027-05-01' }
export const code = ['radio --channel 16', 'radio --squelch 4 --hold 250', 'radio listen --log harbour.log'].join('\n')
export const gauge = '4.72 m'
/** Stated on exactly one of the docs pages. */
export const alarmTest = 'every 11 days'
