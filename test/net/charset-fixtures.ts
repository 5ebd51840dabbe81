/** Sentences of many languages, most of them the first of the Universal Declaration of Human Rights. */
export const sentences = {
  Russian: 'Все люди рождаются свободными и равными в своём достоинстве и правах.',
  Ukrainian: 'Всі люди народжуються вільними і рівними у своїй гідності та правах.',
  Bulgarian: 'Всички хора се раждат свободни и равни по достойнство и права.',
  French: 'Tous les êtres humains naissent libres et égaux en dignité et en droits – même à l’étranger.',
  German: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren, größer als jede Übermacht.',
  Spanish: 'Todos los seres humanos nacen libres e iguales en dignidad; ¿qué más pide el niño mañana?',
  Portuguese:
    'Todos os seres humanos nascem livres e iguais em dignidade; são dotados de razão e consciência, e não há exceção.',
  Italian: 'Così è più facile: la città è già là, perché no, tutti nascono liberi.',
  Swedish: 'Alla människor är födda fria och lika i värde och rättigheter, på både land och sjö.',
  Danish: 'Alle mennesker er født frie og lige i værdighed og rettigheder på jorden.',
  Finnish: 'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan, älä väitä vastaan.',
  Icelandic: 'Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum, því það er rétt.',
  Polish: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności; zażółć gęślą jaźń.',
  Czech: 'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv; příliš žluťoučký kůň.',
  Hungarian: 'Minden emberi lény szabadon születik és egyenlő méltósága és joga van; őrült fűrész.',
  Croatian: 'Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima, što već čini život lakšim.',
  Romanian: 'Toate fiinţele umane se nasc libere şi egale în demnitate şi în drepturi, fără excepţie.',
  Turkish: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar; akıl ve vicdana sahiptirler, çalışırlar.',
  Lithuanian: 'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis, jiems suteiktas protas ir sąžinė.',
  Latvian: 'Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās, apveltīti ar saprātu.',
  Greek: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  Hebrew: 'כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם.',
  Arabic: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.',
  Thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  Japanese: 'すべての人間は、生まれながらにして自由であり、尊厳と権利とについて平等である。',
  'Simplified Chinese': '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。',
  'Traditional Chinese': '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心。',
  Korean: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
} as const
export type Language = keyof typeof sentences

const rows = `
utf-8 | Japanese | 44GZ44G544Gm44Gu5Lq66ZaT44Gv44CB55Sf44G+44KM44Gq44GM44KJ44Gr44GX44Gm6Ieq55Sx44Gn44GC44KK44CB5bCK5Y6z44Go5qip5Yip44Go44Gr44Gk44GE44Gm5bmz562J44Gn44GC44KL44CC
utf-16le | Korean | qLrgtCAAeMcErEDHIADc0LTFoLAgAEy1gL0w0SAAkMcgx1y4sMZwuiAA+K0gAHTIxMX8rCAAjK2sudDFIACIx7TFIADZs/G0WNXksi4A
utf-16be | Russian | BBIEQQQ1ACAEOwROBDQEOAAgBEAEPgQ2BDQEMAROBEIEQQRPACAEQQQyBD4EMQQ+BDQEPQRLBDwEOAAgBDgAIARABDAEMgQ9BEsEPAQ4ACAEMgAgBEEEMgQ+BFEEPAAgBDQEPgRBBEIEPgQ4BD0EQQRCBDIENQAgBDgAIAQ/BEAEMAQyBDAERQAu
windows-1251 | Russian | wvHlIOv+5Ogg8O7m5OD+8vH/IPHi7uHu5O377Ogg6CDw4OLt++zoIOIg8eLuuOwg5O7x8u7o7fHy4uUg6CDv8ODi4PUu
windows-1251 | Bulgarian | wvHo9+roIPXu8OAg8eUg8ODm5ODyIPHi7uHu5O3oIOgg8ODi7egg7+4g5O7x8u7p7fHy4u4g6CDv8ODi4C4=
koi8-r | Russian | 99PFIMzAxMkg0s/WxMHA1NPRINPXz8LPxM7ZzckgySDSwdfO2c3JINcg09fPo80gxM/T1M/JztPU18UgySDQ0sHXwcgu
koi8-u | Ukrainian | 99OmIMzAxMkgzsHSz8TW1cDU2NPRINemzNjOyc3JIKYg0qbXzsnNySDVINPXz6fKIMemxM7P09SmINTBINDSwdfByC4=
iso-8859-5 | Russian | suHVINvu1Ngg4N7W1NDu4uHvIOHS3tHe1N3r3Ngg2CDg0NLd69zYINIg4dLe8dwg1N7h4t7Y3eHi0tUg2CDf4NDS0OUu
ibm866 | Russian | guGlIKvupKgg4K6mpKDu4uHvIOGirqGupK3rrKggqCDgoKKt66yoIKIg4aKu8awgpK7h4q6oreHioqUgqCCv4KCioOUu
windows-1252 | French | VG91cyBsZXMg6nRyZXMgaHVtYWlucyBuYWlzc2VudCBsaWJyZXMgZXQg6WdhdXggZW4gZGlnbml06SBldCBlbiBkcm9pdHMgliBt6m1lIOAgbJLpdHJhbmdlci4=
iso-8859-2 | Polish | V3N6eXNjeSBsdWR6aWUgcm9kerEgc2nqIHdvbG5pIGkgcvN3bmkgcG9kIHd6Z2zqZGVtIHN3ZWogZ29kbm+2Y2k7IHphv/Oz5iBn6rZssSBqYbzxLg==
iso-8859-2 | Hungarian | TWluZGVuIGVtYmVyaSBs6W55IHN6YWJhZG9uIHN6/GxldGlrIOlzIGVneWVubPUgbelsdPNz4WdhIOlzIGpvZ2EgdmFuOyD1cvxsdCBm+3Lpc3ou
windows-1250 | Polish | V3N6eXNjeSBsdWR6aWUgcm9kerkgc2nqIHdvbG5pIGkgcvN3bmkgcG9kIHd6Z2zqZGVtIHN3ZWogZ29kbm+cY2k7IHphv/Oz5iBn6pxsuSBqYZ/xLg==
windows-1250 | Hungarian | TWluZGVuIGVtYmVyaSBs6W55IHN6YWJhZG9uIHN6/GxldGlrIOlzIGVneWVubPUgbelsdPNz4WdhIOlzIGpvZ2EgdmFuOyD1cvxsdCBm+3Lpc3ou
windows-1254 | Turkish | Qvx0/G4gaW5zYW5sYXIgaPxyLCBoYXlzaXlldCB2ZSBoYWtsYXIgYmFr/W39bmRhbiBl/ml0IGRv8GFybGFyOyBha/1sIHZlIHZpY2RhbmEgc2FoaXB0aXJsZXIsIOdhbP3+/XJsYXIu
windows-1257 | Lithuanian | VmlzaSD+bW9u63MgZ2ltc3RhIGxhaXN2aSBpciBseWf7cyBzYXZvIG9ydW11IGlyIHRlaXPrbWlzLCBqaWVtcyBzdXRlaWt0YXMgcHJvdGFzIGlyIHPg/mlu6y4=
windows-1253 | Greek | vOvv6SDv6SDc7ejx+fDv6SDj5e3t6e/97fTh6SDl6+X96OXx7+kg6uHpIN/z7+kg8/Tn7SDh7unv8PHd8OXp4SDq4ekg9OEg5Onq4en+7OH04S4=
windows-1255 | Hebrew | 6+wg4fDpIODj7SDw5ezj5SDh8Okg5+X46e8g5fnl5entIOHy+OvtIOXh5uvl6eX66eTtLg==
windows-1256 | Arabic | 7ebhzyDM4+3aIMfh5MfTIMPN0cfRxyDjytPH5u3kIN3tIMfh39HH48kg5sfhzd7m3i4=
windows-874 | Thai | wbnYycLst9Hpp8vF0sLgodS0wdLB1c3UysPQ4cXQ4MrBzcDSpKHRueO54KHVwsO11MjRobTU7OHF0MrUt7jU
shift_jis | Japanese | greC14LEgsyQbIrUgs2BQZC2gtyC6oLIgqqC54LJgrWCxI6pl1KCxYKgguiBQZG4jLWCxoygl5iCxoLJgsKCooLElb2TmYLFgqCC6YFC
euc-jp | Japanese | pLmk2aTGpM6/zbTWpM+hosC4pN6k7KTKpKyk6aTLpLekxryrzbOkx6SipOqhosK6uLekyLiizfikyKTLpMSkpKTGyr/F+aTHpKKk66Gj
gb18030 | Simplified Chinese | yMvIy8n6tvjX1NPJo6zU2tfw0c+6zciowPvJz9K7wsnGvbXIoaPL+8PHuLPT0MDt0NS6zcG80MShow==
big5 | Traditional Chinese | pEikSKXNptOm26XRoUGmYrRMxFmpTcV2p1GkV6RAq9+lrbWloUOlTK3MveGms7J6qcqpTah9pN+hQw==
euc-kr | Korean | uPC15yDAzrCjwLogxcK+7rOvILanus7FzSDA2sCvt86/7LjnILHXIMG4vvaw+iCxx7iuv6EgwNa+7iC1v7Xux8+02S4=
`

/** Their bytes in the usual charsets, in base64, created with iconv, which is independent of the decoder under test. */
export const encoded = rows
  .trim()
  .split('\n')
  .map((row) => row.split(' | ') as [charset: string, language: Language, base64: string])
