// Light, dark, or as the system says; and the colours that charts share with the style sheet.

const kKey = "espalier-theme";
const kOrder = ["auto", "light", "dark"] as const;
type Theme = (typeof kOrder)[number];

const knownColours = new Map<string, string>();

function stored(): Theme {
  try {
    const value = localStorage.getItem(kKey);
    return kOrder.find((theme) => theme === value) ?? "auto";
  } catch {
    return "auto"; // a file opened from disk may not have storage
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  knownColours.clear();
  window.dispatchEvent(new Event("themechange"));
}

export function startTheme(): void {
  apply(stored());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(stored()));
}

export function themeName(): Theme {
  return stored();
}

export function nextTheme(): Theme {
  const next = kOrder[(kOrder.indexOf(stored()) + 1) % kOrder.length] ?? "auto";
  try {
    localStorage.setItem(kKey, next);
  } catch {
    document.documentElement.dataset.theme = next;
  }
  apply(next);
  return next;
}

// As a canvas understands it. Asked for once in each theme: an answer takes the browser long.
export function colour(name: string): string {
  const known = knownColours.get(name);
  if (known) return known;
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  knownColours.set(name, value);
  return value;
}

// Versions of a network have their colours by their order in the scenario, everywhere.
export function modelColour(models: string[], model: string): string {
  const at = Math.max(0, models.indexOf(model));
  return `var(--model-${at % 6})`;
}

export function resolved(value: string): string {
  const name = /^var\(--(.*)\)$/.exec(value)?.[1];
  return name ? colour(name) : value;
}
