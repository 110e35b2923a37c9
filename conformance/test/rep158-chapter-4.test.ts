import { checkChapter } from './rep158-cases.ts';

checkChapter(4);
