"""Which foods hold which substance, and what a diet leaves out: a small table of plain names.

Allergens: the 14 of Annex II to Regulation (EU) No 1169/2011 (cereals with gluten, crustaceans, eggs, fish,
peanuts, soybeans, milk, nuts, celery, mustard, sesame, sulphites, lupin, molluscs); the nuts and cereals are those it
names. Vegan: no food of animal origin, as the Vegan Society defines it. Halal: Codex CAC/GL 24-1997, 2.2 (pigs, blood,
alcohol). Kosher: Leviticus 11 (pigs, hares, water animals without fins and scales). Dishes are listed only where the
substance makes the dish.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(","))


_GLUTEN = _words(
    "wheat, rye, barley, spelt, kamut, wheat flour, plain flour, all-purpose flour, self-raising flour, self-rising flour, bread flour, wholemeal flour, bread, toast, pasta, spaghetti, couscous, bulgur, seitan, crackers, breadcrumbs, croutons, bagel, baguette, pita, naan, noodles, semolina, malt, beer"
)
_CRUSTACEANS = _words("prawn, shrimp, crab, lobster, crayfish, langoustine, scampi, krill")
_MOLLUSCS = _words(
    "mussel, oyster, clam, squid, octopus, scallop, snail, calamari, cuttlefish, cockle"
)
_EGGS = _words(
    "egg, egg white, egg yolk, omelette, omelet, frittata, mayonnaise, mayo, meringue, hollandaise, quiche, custard, aioli"
)
_FISH = _words(
    "fish, salmon, tuna, cod, haddock, trout, anchovy, sardine, mackerel, herring, halibut, sea bass, fish sauce, caviar, tilapia, worcestershire sauce"
)
_PEANUTS = _words("peanut, peanut butter, satay")
_SOY = _words("soy, soya, tofu, tempeh, edamame, soy sauce, soy milk, miso, tamari")
_MILK = _words(
    "milk, butter, cream, cheese, yogurt, yoghurt, cheddar, parmesan, mozzarella, feta, ricotta, brie, mascarpone, ghee, whey, buttermilk, ice cream, gouda, crème fraîche, halloumi, camembert, milkshake, latte, cappuccino"
)
_NUTS = _words(
    "nut, almond, hazelnut, walnut, cashew, pecan, brazil nut, pistachio, macadamia, praline, marzipan, nutella, frangipane"
)
_PORK = _words(
    "pork, ham, bacon, prosciutto, pancetta, chorizo, salami, pepperoni, lard, gammon, pork belly, pork chop, pork rib"
)
_MEAT = _PORK | _words(
    "beef, chicken, turkey, lamb, veal, duck, steak, mince, sausage, meatball, meat, goose, venison, mutton, brisket, bone broth, chicken broth, beef broth, chicken stock, gelatin, gelatine, ribs, rib, bolognese, hot dog, burger patty"
)
_SEAFOOD = _FISH | _CRUSTACEANS | _MOLLUSCS | {"seafood", "shellfish"}
_ALCOHOL = _words(
    "wine, beer, rum, brandy, whisky, whiskey, vodka, bourbon, sherry, champagne, prosecco, liqueur, gin, sake"
)

# What a prompt may name, and the foods that hold it.
SUBSTANCES: dict[str, frozenset[str]] = {
    "gluten": _GLUTEN, "wheat": _GLUTEN - {"rye", "barley", "malt", "beer"}, "crustaceans": _CRUSTACEANS,
    "shellfish": _CRUSTACEANS | _MOLLUSCS | {"shellfish"}, "shrimp": _words("shrimp, prawn"), "prawns": _words("shrimp, prawn"),
    "molluscs": _MOLLUSCS, "eggs": _EGGS, "egg": _EGGS, "fish": _FISH, "seafood": _SEAFOOD, "peanuts": _PEANUTS, "peanut": _PEANUTS,
    "nuts": _NUTS | _PEANUTS, "nut": _NUTS | _PEANUTS, "tree nuts": _NUTS, "tree nut": _NUTS, "almonds": _words("almond, marzipan, frangipane"),
    "soy": _SOY, "soya": _SOY, "milk": _MILK, "dairy": _MILK, "lactose": _MILK - {"ghee"}, "celery": _words("celery, celeriac"),
    "mustard": _words("mustard"), "sesame": _words("sesame, tahini, hummus, halva"), "lupin": _words("lupin"),
    "sulphites": _words("wine, dried apricot"), "sulfites": _words("wine, dried apricot"), "pork": _PORK, "meat": _MEAT,
    "red meat": _words("beef, lamb, pork, veal, steak, mutton, venison, bacon, ham"), "beef": _words("beef, steak, brisket, beef broth"),
    "alcohol": _ALCOHOL, "honey": _words("honey"), "mushrooms": _words("mushroom, porcini, shiitake"),
    "tomatoes": _words("tomato, ketchup, marinara"), "strawberries": _words("strawberry"), "garlic": _words("garlic, aioli"), "onions": _words("onion, shallot"),
    "cheese": _words("cheese, cheddar, parmesan, mozzarella, feta, ricotta, brie, mascarpone, gouda, halloumi, camembert"),
    "chicken": _words("chicken, chicken broth, chicken stock"), "coconut": _words("coconut, coconut milk"), "bananas": _words("banana"),
}  # fmt: skip
DIETS: dict[str, frozenset[str]] = {
    "vegan": _MEAT | _SEAFOOD | _EGGS | _MILK | {"honey"},
    "vegetarian": _MEAT | _SEAFOOD,
    "pescatarian": _MEAT,
    "halal": _PORK | _ALCOHOL,
    "kosher": _PORK | _CRUSTACEANS | _MOLLUSCS | {"rabbit", "catfish", "eel", "shellfish"},
    "muslim": _PORK | _ALCOHOL,
    "coeliac": _GLUTEN,
    "celiac": _GLUTEN,
}
# Other foods that a prompt may rule out by name; each holds itself only.
PLAIN_FOODS = _words(
    "mushroom, olive, tomato, onion, garlic, celery, cilantro, coriander, broccoli, spinach, kale, cabbage, brussels sprout, beetroot, beet, carrot, cucumber, "
    "zucchini, courgette, aubergine, eggplant, bell pepper, chili, chilli, jalapeño, avocado, asparagus, pea, lentil, chickpea, pumpkin, sweet potato, potato, corn, "
    "leek, radish, fennel, ginger, raisin, banana, apple, pear, mango, pineapple, kiwi, strawberry, raspberry, blueberry, cherry, coconut, chocolate, "
    "cinnamon, cumin, curry powder, basil, parsley, vanilla, peanut butter, mayonnaise, ketchup, honey, tofu, rice, quinoa, oats, pasta, bread, "
    "cheese, goat cheese, blue cheese, feta, parmesan, yogurt, bacon, ham, sausage, chicken, lamb, beef, pork, tuna, salmon, anchovy, liver, capers"
)
# "Olive oil" is no olive to who dislikes olives, nor is a sweet potato a potato.
NOT_ITSELF_AFTER = _words(
    "oil, powder, vinegar, seed, seeds, stock, broth, tree, paper, flour, milk"
)
NOT_ITSELF_BEFORE = _words("sweet, cauliflower")
# Foods that only sound like one of the above: what comes before the name, and what comes after it.
SOUNDS_LIKE_BEFORE = _words(
    "almond, oat, coconut, soy, soya, rice, cashew, hemp, nut, peanut, cocoa, shea, plant, vegan, pea, apple, flax, chia, hazelnut, macadamia, seed, "
    "sunflower, butter, water, goat's, corn, buckwheat, chickpea, lentil, glass, tamari, quinoa, zucchini, courgette, tapioca, potato, "
    "rice flour, mock, faux, veggie, beyond, impossible, ginger, root, king oyster, gluten-free, dairy-free, non-dairy, egg-free, nut-free, "
    "lactose-free, non-alcoholic, alcohol-free, shaving, body, tofu, mushroom, jackfruit, seitan, bean, black bean, cauliflower, nutritional, free-range, rose, red, halal, turkey, beef, rice paper, konjac, cornbread, grass, meatless, vegetable"
)
SOUNDS_LIKE_AFTER = _words(
    "mushroom, mushrooms, free, substitute, replacement, replacer, alternative, alternatives, squash, bean, beans, lettuce, tartar, noodles, plant, vinegar, of tartar, tree, allergy, allergies, intolerance"
)
