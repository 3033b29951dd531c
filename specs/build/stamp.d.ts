export function stampOf(specsDir: string): string;
export function isFresh(specsDir: string): boolean;
