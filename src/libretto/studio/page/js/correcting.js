// A chip put right, as the server takes it: { key, value } for a field, { drop } for words that were heard, { words } for the
// rest.

const LISTS = new Set(["form", "chords", "mood"]);
const FIELDS = new Set(["title", "key", "meter", "tempo", "bars", "drums", "genre", "style", "ending", "scale", "dedication", ...LISTS]);
const PART = new Set(["instrument", "parts"]);

const split = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);

// A field's value from what a person typed; text where it is neither a number nor a list.
function valueOf(key, text) {
  if (key === "bars" && /^\d+$/.test(text)) return Number(text);
  if (key === "tempo") {
    const numbers = (text.match(/\d+(\.\d+)?/g) || []).map(Number);
    if (numbers.length) return numbers.length === 1 ? numbers[0] : numbers.slice(0, 2);
  }
  if (key === "drums") return /^(y|1|t|with\b)/i.test(text);
  return LISTS.has(key) ? split(text) : text;
}

// The instruments with one of them replaced by others, or left out.
function castWith(chip, contract, instead) {
  const names = (contract.fields || []).find((field) => field.key === "parts")?.value || [];
  if (chip.group === "assumed" || !names.includes(chip.value)) return instead;
  return names.flatMap((name) => (name === chip.value ? instead : [name]));
}

// The corrections with one chip changed to what a person typed.
export function corrected(corrections, chip, text, contract) {
  const key = chip.clause;
  if (PART.has(key)) return set(corrections, "parts", castWith(chip, contract, split(text)));
  if (FIELDS.has(key)) return set(corrections, key, valueOf(key, text));
  const dropped = chip.words ? [{ drop: chip.words }] : [];
  return [...corrections, ...dropped, { words: text }];
}

// The corrections with one chip taken out: its words are read as if they had not been said; what has none is left open.
export function without(corrections, chip, contract) {
  const key = PART.has(chip.clause) ? "parts" : chip.clause;
  if (chip.words) return [...corrections.filter((one) => one.key !== key), { drop: chip.words }];
  if (key !== "parts") return set(corrections, key, null);
  const left = castWith(chip, contract, []);
  return set(corrections, "parts", left.length ? left : null);
}

const set = (corrections, key, value) => [...corrections.filter((one) => one.key !== key), { key, value }];
